// One `describe` per config struct states its keys once; parse, defaults, ranges, help, `weft explain`, JSON
// Schema and the resolved dump all come from it.
//
//   struct FatTree : TopologyBuilder {
//     std::uint32_t hosts = 0;
//     std::uint32_t levels = 2;
//     Ratio taper{1, 1};
//     void describe(Describe& d) override {
//       d.field("hosts", hosts, "Machines attached to the leaves.").required().range(1, 1'000'000);
//       d.field("levels", levels, "Switch levels: 2 = leaf and spine, 3 = with core.").range(1, 4);
//       d.field("taper", taper, "Up-bandwidth of a leaf over its down-bandwidth.").source("full bisection");
//     }
//   };
//
// A member's initial value is its default. What the user must not be asked to know twice (a key's unit, its
// type) is taken from the C++ type. A struct may be described many times; `describe` must have no effect of
// its own.
#pragma once

#include <cstddef>
#include <cstdint>
#include <functional>
#include <memory>
#include <optional>
#include <span>
#include <string>
#include <string_view>
#include <type_traits>
#include <typeinfo>
#include <utility>
#include <vector>

#include "sim/scalar.h"

namespace weft {

class Describe;

/// Anything with keys: config structs, and the rows of registries (topologies, engines, patterns).
class Configurable {
 public:
  Configurable() = default;
  Configurable(const Configurable&) = default;
  Configurable(Configurable&&) = default;
  Configurable& operator=(const Configurable&) = default;
  Configurable& operator=(Configurable&&) = default;
  virtual ~Configurable() = default;
  virtual void describe(Describe& d) = 0;
};

/// One row of a visible table of choices: topologies, routing engines, patterns. The table is the
/// documentation.
template <class T>
struct Choice {
  std::string_view name;
  std::string_view summary;  // one paragraph: what it is, when to choose it
  std::unique_ptr<T> (*make)();
  std::string_view example{};  // the smallest sensible use, a YAML mapping: `{type: torus, size: [4, 4]}`
};

/// What a key says of itself besides its type.
struct FieldDoc {
  std::string key;
  std::string help;
  std::string source;            // where the default comes from: "IBA 7.9.4", "profile", "assumed"
  std::string minimum, maximum;  // as text, empty = unbounded
  bool required = false;
};

/// A list of scalars, its element type erased.
struct ScalarList {
  Scalar like;  // type_name and words of an element; its functions are null
  std::function<std::size_t()> size;
  std::function<Scalar(std::size_t)> at;
  std::function<void()> clear;
  std::function<Scalar()> add;  // a new last element, to be parsed before the next is added
};

/// The mappings under one key: a group, an optional group, a sequence of groups, a choice or a sequence of
/// choices.
struct Objects {
  enum class Shape { one, maybe, many };
  struct Row {
    std::string_view name, summary;
  };
  static constexpr std::size_t kNoRow = static_cast<std::size_t>(-1);

  Shape shape = Shape::one;
  std::string_view selector;  // the key that names a row; empty: no choice
  std::vector<Row> rows;      // of a choice

  std::function<std::size_t()> size;
  std::function<Configurable&(std::size_t)> at;
  std::function<void()> clear;                        // no effect for `one`
  std::function<Configurable&(std::size_t row)> add;  // a new last element (the element itself for `one`)
  std::function<std::size_t(std::size_t)> row_of;     // the first row that makes this type; kNoRow: none
  /// Hands a default element (of a row) to `visit`, for documentation.
  std::function<void(std::size_t row, const std::function<void(Configurable&)>& visit)> sample;
};

/// The visitor a `describe` talks to. Implementations: reader, explainer, JSON Schema, dumper (sim/config.h).
class Describe {
 public:
  Describe() = default;
  Describe(const Describe&) = delete;
  Describe& operator=(const Describe&) = delete;
  virtual ~Describe() = default;

  /// Finishes one key when it goes out of scope, i.e. at the end of the `d.field(...)...;` statement.
  class Field {
   public:
    Field(Describe& d, FieldDoc doc, Scalar scalar);
    Field(const Field&) = delete;
    Field& operator=(const Field&) = delete;
    ~Field() noexcept(false);
    Field& required() {
      doc_.required = true;
      return *this;
    }
    Field& source(std::string_view text) {
      doc_.source = text;
      return *this;
    }
    /// Inclusive bounds in the text a user would write ("1", "256 B", "10 km"); empty = unbounded on that
    /// side.
    Field& range(std::string_view minimum, std::string_view maximum) {
      doc_.minimum = minimum;
      doc_.maximum = maximum;
      return *this;
    }
    /// The same for plain numbers.
    template <class A, class B>
    requires(std::is_arithmetic_v<A>&& std::is_arithmetic_v<B>) Field& range(A minimum, B maximum) {
      return range(scalar::format(scalar_bound(minimum)), scalar::format(scalar_bound(maximum)));
    }

   private:
    template <class N>
    static auto scalar_bound(N n) {
      if constexpr (std::is_floating_point_v<N>)
        return static_cast<double>(n);
      else
        return n;
    }
    Describe& d_;
    FieldDoc doc_;
    Scalar scalar_;
    int exceptions_;  // in flight when the statement began: an unwinding statement is not a key
  };

  /// A scalar: bool, integers, double, std::string, Time, Bytes, Rate, Length, Ratio, std::optional of those,
  /// and enums that have `std::span<const std::pair<std::string_view, E>> words_of(E)` (found by ADL).
  template <class T>
  Field field(std::string_view key, T& value, std::string_view help);

  /// A list of scalars (`[1, 2, 3]`) or, where the user writes one, a single scalar.
  template <class T>
  void list(std::string_view key, std::vector<T>& values, std::string_view help);

  /// A nested mapping. `T` is Configurable.
  template <class T>
  void group(std::string_view key, T& value, std::string_view help);
  /// One that may be absent; `T` is default constructible. `null` makes it absent.
  template <class T>
  void group(std::string_view key, std::optional<T>& value, std::string_view help);

  /// A sequence of mappings. `T` is Configurable and default constructible.
  template <class T>
  void groups(std::string_view key, std::vector<T>& values, std::string_view help, bool required = false);

  /// A mapping whose `selector` key names a row of `table`; the row's object reads the other keys. The bare
  /// name (`routing: minhop`) is the row with its defaults.
  template <class T>
  void choice(std::string_view key, std::unique_ptr<T>& value,
              std::type_identity_t<std::span<const Choice<T>>> table, std::string_view selector,
              std::string_view help, bool required = true);

  /// A sequence of such mappings.
  template <class T>
  void choices(std::string_view key, std::vector<std::unique_ptr<T>>& values,
               std::type_identity_t<std::span<const Choice<T>>> table, std::string_view selector,
               std::string_view help, bool required = true);

  /// Where defaults come from whose key does not say: "profile qm9700". Empty: nowhere in particular.
  void set_default_source(std::string source) { default_source_ = std::move(source); }

 protected:
  // What implementations provide.
  virtual void on_scalar(const FieldDoc& doc, const Scalar& scalar) = 0;
  virtual void on_list(const FieldDoc& doc, const ScalarList& list) = 0;
  virtual void on_objects(const FieldDoc& doc, const Objects& objects) = 0;

 private:
  static FieldDoc doc_of(std::string_view key, std::string_view help, bool required = false);

  std::string default_source_;
};

}  // namespace weft

#include "sim/schema_impl.h"
