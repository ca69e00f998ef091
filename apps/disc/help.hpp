// Help texts: they fit the terminal, and show what matters first.
#pragma once

#include <CLI/CLI.hpp>
#include <span>
#include <string>
#include <string_view>
#include <vector>

namespace disc::app {

class WrappingFormatter : public CLI::Formatter {
 public:
  WrappingFormatter();
  std::string make_option_desc(const CLI::Option* option) const override;
};

/// The user asked for every option.
bool wants_all_help(const std::vector<std::string>& words);
/// Or that what matters most is explained. Only then are options hidden: CLI11 forgets the names of hidden ones in its errors.
bool wants_help(const std::vector<std::string>& words);
/// Leaves all other options out of the help of a command; they work all the same.
void show_only(CLI::App& command, std::span<const std::string_view> names);

}  // namespace disc::app
