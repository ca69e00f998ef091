// How an option of a kind (a number, a word, a text) is read, checked and shown.
#pragma once

#include <algorithm>
#include <charconv>
#include <cmath>
#include <limits>
#include <type_traits>

#include "disc/io.hpp"
#include "disc/options.hpp"
#include "pipeline/memory.hpp"
#include "pipeline/option_names.hpp"

namespace disc {

// Which numbers are allowed, in words and as a test.
struct Range {
  double low = 0;
  double high = std::numeric_limits<double>::infinity();
  bool low_allowed = true;
  bool high_allowed = true;

  bool contains(double value) const {
    return std::isfinite(value) && (low_allowed ? value >= low : value > low) &&
           (high_allowed ? value <= high : value < high);
  }
  std::string words() const {
    const std::string start = format_number(low);
    if (std::isinf(high)) return (low_allowed ? "of at least " : "above ") + start;
    if (low_allowed && high_allowed) return "from " + start + " to " + format_number(high);
    return (low_allowed ? "of at least " : "above ") + start + (high_allowed ? " and up to " : " and below ") +
           format_number(high);
  }
};
inline Range at_least(double low) { return {.low = low}; }
inline Range above(double low) { return {.low = low, .low_allowed = false}; }
inline Range from_to(double low, double high) { return {.low = low, .high = high}; }
inline Range between(double low, double high) {
  return {.low = low, .high = high, .low_allowed = false, .high_allowed = false};
}

template <class Number>
std::optional<Number> parse_number(const std::string& text, const Range& range) {
  Number value{};
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if constexpr (std::is_floating_point_v<Number>) {
    if (std::fpclassify(value) == FP_SUBNORMAL) value = 0;  // what has lost its digits, and overflows as a divisor
  }
  if (failure != std::errc() || rest != end || !range.contains(static_cast<double>(value))) return std::nullopt;
  return value;
}

template <class T>
constexpr bool is_optional = false;
template <class T>
constexpr bool is_optional<std::optional<T>> = true;

// An optional field may also be "auto".
template <class Access>
constexpr bool may_be_auto = is_optional<std::remove_cvref_t<std::invoke_result_t<Access, RunOptions&>>>;

// Completes a row: `parse` gives an empty optional for a value that breaks the rule.
template <class Access, class Parse, class Show>
OptionField finish(OptionField field, Access access, std::string rule, Parse parse, Show show) {
  if (may_be_auto<Access>) rule += ", or auto";
  field.set = [name = field.name, choices = field.choices, access, rule, parse](RunOptions& options,
                                                                                const std::string& text) {
    if constexpr (may_be_auto<Access>) {
      if (text == "auto") return access(options).reset();
    }
    const auto value = parse(text);
    if (!value) throw OptionError(name, text, "must be " + rule + did_you_mean(text, choices));
    access(options) = *value;
  };
  field.text = [access, show](const RunOptions& options) -> std::string {
    const auto& value = access(options);
    if constexpr (may_be_auto<Access>) {
      return value ? show(*value) : "auto";
    } else {
      return show(value);
    }
  };
  field.help += " (default: " + field.text(RunOptions{}) + ")";
  return field;
}

template <class Access>
OptionField whole(const char* name, const char* section, Access access, Index low, const std::string& help) {
  const Range range = at_least(static_cast<double>(low));
  return finish(
      {.name = name, .section = section, .type = "integer", .help = help}, access, "a whole number " + range.words(),
      [range](const std::string& text) { return parse_number<Index>(text, range); },
      [](Index value) { return std::to_string(value); });
}

template <class Access>
OptionField number(const char* name, const char* section, Access access, const Range& range, const std::string& help) {
  return finish(
      {.name = name, .section = section, .type = "number", .help = help}, access, "a number " + range.words(),
      [range](const std::string& text) { return parse_number<double>(text, range); },
      [](double value) { return format_number(value); });
}

// Any text; "auto" where none is given.
template <class Access>
OptionField text(const char* name, const char* section, Access access, const std::string& help) {
  return finish(
      {.name = name, .section = section, .type = "text", .help = help}, access, "text",
      [](const std::string& value) { return std::optional<std::string>(value); },
      [](const std::string& value) { return value.empty() ? "auto" : value; });
}

inline std::string joined(const std::vector<std::string>& words) {
  std::string text;
  for (const std::string& word : words) text += (text.empty() ? "" : ", ") + word;
  return text;
}

template <class Access, class Enum, std::size_t count>
OptionField choice(const char* name, const char* section, Access access, const std::array<Choice<Enum>, count>& names,
                   const std::string& help) {
  OptionField field{
      .name = name, .section = section, .type = std::is_same_v<Enum, bool> ? "switch" : "choice", .help = help};
  for (const auto& known : names) field.choices.emplace_back(known.name);
  const std::string rule = "one of " + joined(field.choices);
  return finish(
      std::move(field), access, rule,
      [names](const std::string& text) -> std::optional<Enum> {
        for (const auto& known : names) {
          if (text == known.name) return known.value;
        }
        return std::nullopt;
      },
      [names](Enum value) {
        const auto* known =
            std::find_if(names.begin(), names.end(), [&](const auto& row) { return row.value == value; });
        return std::string(known == names.end() ? "?" : known->name);
      });
}

// "all", "variable:2000" or "expressed:0.05".
template <class Access>
OptionField selection(const char* name, const char* section, Access access, const std::string& help) {
  using Rule = FeatureSelection::Rule;
  return finish(
      {.name = name, .section = section, .type = "selection", .help = help}, access,
      "all, variable:N with a whole number N of at least 1, or expressed:X with a share X above 0 and up to 1",
      [](const std::string& text) -> std::optional<FeatureSelection> {
        if (text == "all") return FeatureSelection{};
        const std::size_t colon = text.find(':');
        const std::string rule = text.substr(0, colon);
        const std::string value = colon == std::string::npos ? "" : text.substr(colon + 1);
        if (rule == "variable") {
          const auto count = parse_number<Index>(value, at_least(1));
          if (count) return FeatureSelection{.rule = Rule::variable, .count = *count};
        } else if (rule == "expressed") {
          const auto share = parse_number<double>(value, {.low = 0, .high = 1, .low_allowed = false});
          if (share) return FeatureSelection{.rule = Rule::expressed, .share = *share};
        }
        return std::nullopt;
      },
      [](const FeatureSelection& value) -> std::string {
        if (value.rule == Rule::variable) return "variable:" + std::to_string(value.count);
        return value.rule == Rule::expressed ? "expressed:" + format_number(value.share) : "all";
      });
}

// "8G", "500M", or a number of GiB.
template <class Access>
OptionField memory_size(const char* name, const char* section, Access access, const std::string& help) {
  return finish({.name = name, .section = section, .type = "text", .help = help}, access,
                "an amount of memory, such as 8G or 500M", parse_memory,
                [](double bytes) { return format_number(bytes / gibibyte); });
}

// "28x28": height and width.
inline std::optional<ImageShape> parse_shape(const std::string& text) {
  const std::size_t middle = text.find('x');
  if (middle == std::string::npos) return std::nullopt;
  const Range range{.low = 1, .high = 1e9};
  const std::optional<Index> height = parse_number<Index>(text.substr(0, middle), range);
  const std::optional<Index> width = parse_number<Index>(text.substr(middle + 1), range);
  return height && width ? std::optional(ImageShape{*height, *width}) : std::nullopt;
}

inline OptionField image_shape(const std::string& help) {
  return finish(
      {.name = "shape", .section = "Data", .type = "text", .help = help},
      [](auto& options) -> auto& { return options.shape; }, "height x width, such as 28x28", parse_shape,
      [](const ImageShape& value) { return std::to_string(value.height) + "x" + std::to_string(value.width); });
}

}  // namespace disc
