#include "sim/schema.h"

#include <exception>

#include "sim/error.h"

namespace weft {

Describe::Field::Field(Describe& d, FieldDoc doc, Scalar scalar)
    : d_(d), doc_(std::move(doc)), scalar_(std::move(scalar)), exceptions_(std::uncaught_exceptions()) {}

Describe::Field::~Field() noexcept(false) {
  if (std::uncaught_exceptions() > exceptions_) return;
  if (!scalar_.compare && !(doc_.minimum.empty() && doc_.maximum.empty()))
    invariant_failed("a range belongs to an ordered type", doc_.key);
  if (doc_.source.empty()) doc_.source = d_.default_source_;
  d_.on_scalar(doc_, scalar_);
}

}  // namespace weft
