// Means of samples, with what is known of them.
#pragma once

#include <cstddef>
#include <span>

namespace weft {

/// A mean and the ends of its 95 % confidence interval.
struct Estimate {
  double mean = 0, low = 0, high = 0;
};

/// Of independent samples, by Student's t; of one sample the interval is that sample, of none all is 0.
Estimate estimate_mean(std::span<const double> samples);

/// The 97.5 % quantile of Student's t with that many degrees of freedom, 1 or more; within 0.1 %.
double student_t(std::size_t degrees);

}  // namespace weft
