#include "scenarios/expectations.h"

#include <algorithm>
#include <array>
#include <cmath>

#include <fmt/format.h>

#include "scenarios/locating.h"
#include "scenarios/run.h"
#include "sim/suggest.h"

namespace weft {
namespace {

std::optional<double> number(const Value& value) {
  if (const auto* n = std::get_if<std::int64_t>(&value)) return static_cast<double>(*n);
  if (const auto* x = std::get_if<double>(&value)) return *x;
  return std::nullopt;
}

/// The value an expectation speaks of, or why there is none.
std::optional<double> look_up(const Expectation& e, const Recorder& recorder, std::string& why) {
  if (e.table.empty()) {
    const Value* value = recorder.get(e.column);
    if (value == nullptr) why = fmt::format("the summary has no value `{}`", e.column);
    return value == nullptr ? std::nullopt : number(*value);
  }
  const Table* table = recorder.find(e.table);
  if (table == nullptr) {
    why = fmt::format("the results have no table `{}`", e.table);
    return std::nullopt;
  }
  const std::vector<Value>* row = table->row(e.row);
  const std::size_t column = table->column(e.column);
  if (row == nullptr) why = fmt::format("table `{}` has no row `{}`", e.table, e.row);
  if (column == Table::npos) why = fmt::format("table `{}` has no column `{}`", e.table, e.column);
  if (row == nullptr || column == Table::npos) return std::nullopt;
  return number((*row)[column]);
}

}  // namespace

void check_wording(const Prepared& p) {
  static constexpr std::array kVerdicts{Verdict::finished, Verdict::duration,   Verdict::deadlocked,
                                        Verdict::stalled,  Verdict::incomplete, Verdict::interrupted};
  std::vector<std::string_view> verdicts;
  for (const Verdict verdict : kVerdicts) verdicts.push_back(to_text(verdict));
  for (std::size_t i = 0; i < p.scenario.expect.size(); ++i) {
    const Expectation& e = p.scenario.expect[i];
    locating(p.document, fmt::format("expect[{}]", i), [&] {
      if (!e.verdict.empty()) {
        if (std::find(verdicts.begin(), verdicts.end(), e.verdict) == verdicts.end())
          throw BadValue("verdict",
                         fmt::format("no run ends `{}`{}", e.verdict, did_you_mean(e.verdict, verdicts)));
        if (!e.table.empty() || !e.column.empty())
          throw BadValue("verdict",
                         "an expectation is of the verdict or of a value, not both: make it two entries");
        return;
      }
      if (e.column.empty()) throw BadValue("", "it names neither a `column` nor a `verdict`");
      if (!e.equals && !e.at_least && !e.at_most)
        throw BadValue("", "it says nothing of the value: give `equals`, `at_least` or `at_most`");
    });
  }
}

std::size_t check_expectations(const Prepared& prepared, Recorder& recorder) {
  const std::vector<Expectation>& expectations = prepared.scenario.expect;
  if (expectations.empty()) return 0;
  Table& table = recorder.table("expectations", "Expectations", 1,
                                {{"what", ""}, {"expected", ""}, {"got", ""}, {"met", ""}, {"source", ""}});
  std::size_t failed = 0;
  for (const Expectation& e : expectations) {
    std::string what, expected, got;
    bool met = true;
    if (!e.verdict.empty()) {
      what = "verdict";
      expected = e.verdict;
      got = to_text(*recorder.get("verdict"));
      met = got == expected;
    } else {
      what = e.table.empty() ? e.column : fmt::format("{}[{}].{}", e.table, e.row, e.column);
      std::string why = "no number";
      const std::optional<double> value = look_up(e, recorder, why);
      got = value ? fmt::format("{:.6g}", *value) : why;
      const double tolerance = e.equals ? std::abs(*e.equals) * e.within.value() : 0;
      if (e.equals) {
        expected = e.within.num == 0 ? fmt::format("{}", *e.equals)
                                     : fmt::format("{} +- {}", *e.equals, weft::to_text(e.within));
        met = value && std::abs(*value - *e.equals) <= tolerance;
      }
      if (e.at_least) {
        expected += fmt::format("{}>= {}", expected.empty() ? "" : ", ", *e.at_least);
        met = met && value && *value >= *e.at_least;
      }
      if (e.at_most) {
        expected += fmt::format("{}<= {}", expected.empty() ? "" : ", ", *e.at_most);
        met = met && value && *value <= *e.at_most;
      }
    }
    if (!met) ++failed;
    table.add({what, expected, got, std::string(met ? "yes" : "NO"), e.source});
  }
  return failed;
}

}  // namespace weft
