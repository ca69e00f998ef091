#include "disc/spelling.hpp"

#include <algorithm>
#include <cctype>
#include <vector>

namespace disc {
namespace {

void replace_all(std::string& text, std::string_view from, std::string_view to) {
  for (std::size_t at = 0; (at = text.find(from, at)) != std::string::npos; at += to.size()) {
    text.replace(at, from.size(), to);
  }
}

// In small letters and American spelling, without the dashes of an option.
std::string plain(std::string_view word) {
  std::string text(word.substr(std::min(word.find_first_not_of('-'), word.size())));
  for (char& letter : text)
    letter = letter == '_' ? '-' : static_cast<char>(std::tolower(static_cast<unsigned char>(letter)));
  replace_all(text, "our", "or");
  replace_all(text, "isation", "ization");
  replace_all(text, "ise", "ize");
  replace_all(text, "centre", "center");
  return text;
}

// Letters to change, add, leave out or exchange with the next one.
std::size_t distance(std::string_view a, std::string_view b) {
  std::vector<std::vector<std::size_t>> steps(a.size() + 1, std::vector<std::size_t>(b.size() + 1));
  for (std::size_t i = 0; i <= a.size(); ++i) {
    for (std::size_t j = 0; j <= b.size(); ++j) {
      std::size_t& best = steps[i][j];
      if (i == 0 || j == 0) {
        best = i + j;
        continue;
      }
      best = std::min({steps[i - 1][j] + 1, steps[i][j - 1] + 1, steps[i - 1][j - 1] + (a[i - 1] != b[j - 1] ? 1 : 0)});
      if (i > 1 && j > 1 && a[i - 1] == b[j - 2] && a[i - 2] == b[j - 1])
        best = std::min(best, steps[i - 2][j - 2] + 1);
    }
  }
  return steps[a.size()][b.size()];
}

// Whether one is a whole part of the other, between dashes or blanks, or its beginning.
bool is_part(const std::string& part, const std::string& whole) {
  const std::size_t at = whole.find(part);
  if (part.size() < 3 || at == std::string::npos) return false;
  return at == 0 || whole[at - 1] == '-' || whole[at - 1] == ' ';
}

}  // namespace

std::string closest_word(std::string_view written, std::span<const std::string> known) {
  constexpr std::size_t longest = 60;
  const std::string word = plain(written.substr(0, longest));
  std::string closest;
  std::size_t least = word.size() / 3 + 1;  // more than this is another word
  for (const std::string& candidate : known) {
    const std::size_t letters = distance(word, plain(std::string_view(candidate).substr(0, longest)));
    if (letters < least || (letters == least && closest.empty() && letters <= 2 && letters < word.size())) {
      least = letters;
      closest = candidate;
    }
  }
  if (!closest.empty()) return closest;
  for (const std::string& candidate : known) {
    const bool shorter = closest.empty() || candidate.size() < closest.size();
    if (shorter && (is_part(word, plain(candidate)) || is_part(plain(candidate), word))) closest = candidate;
  }
  return closest;
}

std::string did_you_mean(std::string_view written, std::span<const std::string> known) {
  const std::string meant = closest_word(written, known);
  return meant.empty() ? "" : "; did you mean '" + meant + "'?";
}

}  // namespace disc
