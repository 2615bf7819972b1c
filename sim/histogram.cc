#include "sim/histogram.h"

#include <algorithm>
#include <bit>

#include "sim/error.h"

namespace weft {
namespace {

constexpr int kSubBits = 6;  // 64 buckets an octave

std::size_t bucket_of(std::int64_t value) {
  const auto v = static_cast<std::uint64_t>(value);
  if (v < (1u << kSubBits)) return v;
  const int shift = static_cast<int>(std::bit_width(v)) - 1 - kSubBits;
  return (static_cast<std::size_t>(shift + 1) << kSubBits) + ((v >> shift) & ((1u << kSubBits) - 1));
}

/// The largest value that falls into the bucket.
std::int64_t bound_of(std::size_t bucket) {
  if (bucket < (1u << kSubBits)) return static_cast<std::int64_t>(bucket);
  const int shift = static_cast<int>(bucket >> kSubBits) - 1;
  const std::uint64_t low = ((bucket & ((1u << kSubBits) - 1)) | (1u << kSubBits)) << shift;
  return static_cast<std::int64_t>(low + (std::uint64_t{1} << shift) - 1);
}

}  // namespace

void Histogram::add(std::int64_t value, std::uint64_t count) {
  if (value < 0) invariant_failed("a histogram takes non-negative values", std::to_string(value));
  if (count == 0) return;
  const std::size_t bucket = bucket_of(value);
  if (bucket >= buckets_.size()) buckets_.resize(bucket + 1);
  buckets_[bucket] += count;
  minimum_ = count_ ? std::min(minimum_, value) : value;
  maximum_ = std::max(maximum_, value);
  count_ += count;
  sum_ += static_cast<Uint128>(value) * count;
}

void Histogram::merge(const Histogram& other) {
  if (other.count_ == 0) return;
  if (other.buckets_.size() > buckets_.size()) buckets_.resize(other.buckets_.size());
  for (std::size_t b = 0; b < other.buckets_.size(); ++b) buckets_[b] += other.buckets_[b];
  minimum_ = count_ ? std::min(minimum_, other.minimum_) : other.minimum_;
  maximum_ = std::max(maximum_, other.maximum_);
  count_ += other.count_;
  sum_ += other.sum_;
}

std::int64_t Histogram::quantile(std::uint64_t num, std::uint64_t den) const {
  if (count_ == 0) return 0;
  const auto wanted = static_cast<std::uint64_t>((static_cast<Uint128>(count_) * num + den - 1) / den);
  std::uint64_t seen = 0;
  for (std::size_t b = 0; b < buckets_.size(); ++b) {
    seen += buckets_[b];
    if (seen >= std::max<std::uint64_t>(wanted, 1)) return std::clamp(bound_of(b), minimum_, maximum_);
  }
  return maximum_;
}

}  // namespace weft
