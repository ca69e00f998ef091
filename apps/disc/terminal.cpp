#include "terminal.hpp"

#include <sys/ioctl.h>
#include <unistd.h>

#include <cstdlib>
#include <sstream>

namespace disc::app {

std::size_t columns_of(int descriptor, std::size_t otherwise) {
  constexpr std::size_t fewest = 40;
  if (const char* given = std::getenv("COLUMNS"); given != nullptr) {
    const unsigned long columns = std::strtoul(given, nullptr, 10);
    if (columns >= fewest && columns <= 1000) return columns;
  }
  winsize size{};
  if (isatty(descriptor) == 0 || ioctl(descriptor, TIOCGWINSZ, &size) != 0 || size.ws_col < fewest) return otherwise;
  return size.ws_col;
}

std::string wrapped(const std::string& line, std::size_t width, std::size_t indent) {
  if (width == 0 || line.size() <= width) return line;
  const std::size_t begin = line.find_first_not_of(' ');
  if (begin == std::string::npos) return line;
  std::istringstream words(line);
  std::string text(begin, ' ');
  std::size_t column = begin;
  bool is_first = true;
  for (std::string word; words >> word; is_first = false) {
    if (!is_first && column + 1 + word.size() > width) {
      text += "\n" + std::string(indent, ' ');
      column = indent;
    } else if (!is_first) {
      text += ' ';
      ++column;
    }
    text += word;
    column += word.size();
  }
  return text;
}

}  // namespace disc::app
