// Help texts that fit a terminal of 100 columns.
#pragma once

#include <CLI/CLI.hpp>
#include <string>

namespace disc::app {

class WrappingFormatter : public CLI::Formatter {
 public:
  WrappingFormatter();
  std::string make_option_desc(const CLI::Option* option) const override;
};

}  // namespace disc::app
