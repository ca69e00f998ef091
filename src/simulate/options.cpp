// The options of a simulation: one row each. Defaults are those of the struct; ranges are checked by simulate().
#include <algorithm>
#include <charconv>

#include "disc/io.hpp"
#include "disc/simulate.hpp"

namespace disc {
namespace {

template <class Number>
Number parsed(const char* name, const std::string& text) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end) {
    throw OptionError(name, text, std::is_integral_v<Number> ? "must be a whole number" : "must be a number");
  }
  return value;
}

SimulateField count(const char* name, std::optional<Index> SimulateOptions::*field, const char* help) {
  return {name, "N", help, [name, field](SimulateOptions& options, const std::string& value) {
            options.*field = parsed<Index>(name, value);
          }};
}

SimulateField whole(const char* name, Index SimulateOptions::*field, const std::string& help) {
  return {name, "N", help + " (default: " + std::to_string(SimulateOptions{}.*field) + ")",
          [name, field](SimulateOptions& options, const std::string& value) {
            options.*field = parsed<Index>(name, value);
          }};
}

SimulateField number(const char* name, double SimulateOptions::*field, const std::string& help) {
  return {name, "X", help + " (default: " + format_number(SimulateOptions{}.*field) + ")",
          [name, field](SimulateOptions& options, const std::string& value) {
            options.*field = parsed<double>(name, value);
          }};
}

std::vector<SimulateField> make_table() {
  using Options = SimulateOptions;
  return {
      count("samples", &Options::samples, "samples per condition (default: 10000, 124 for scene); not for block-model"),
      count(
          "features", &Options::features,
          "features in all: a multiple of the problem's own, or for scene a square number (default: 10000 for scene); "
          "not for block-model and hard"),
      number("partial", &Options::partial, "partial: how much of the connection is kept, from 0 to 1"),
      whole("block-size", &Options::block_size, "block-model: nodes of a large community"),
      number("block-exponent", &Options::block_exponent,
             "block-model: the small community has block-size to this power nodes"),
      number("block-within", &Options::block_within, "block-model: probability of an edge within a community"),
      number("block-between", &Options::block_between, "block-model: probability of an edge between communities"),
      number("rho", &Options::rho, "hard: mean correlation within a group"),
      {"variant", "NAME", "hard: one of its variants (default: " + Options{}.variant + ")",
       [](Options& options, const std::string& value) { options.variant = value; }},
  };
}

}  // namespace

const std::vector<SimulateField>& simulate_option_table() {
  static const std::vector<SimulateField> table = make_table();
  return table;
}

SimulateOptions make_simulate_options(const std::string& problem, const std::map<std::string, std::string>& given) {
  SimulateOptions options;
  options.problem = problem;
  const std::vector<SimulateField>& table = simulate_option_table();
  for (const auto& [name, value] : given) {
    const auto field = std::ranges::find(table, name, &SimulateField::name);
    if (field == table.end()) throw OptionError(name, value, "is not an option of a simulation");
    field->set(options, value);
  }
  return options;
}

}  // namespace disc
