// Words that were meant where others were written, for messages.
#pragma once

#include <span>
#include <string>
#include <string_view>

namespace disc {

/// The known word that is most like the one written, if one is like it at all: a slip of one or two letters, British spelling, another
/// case, or a part of a longer word ("neighbours" for "bandwidth-neighbors"). Else empty.
std::string closest_word(std::string_view written, std::span<const std::string> known);

/// "; did you mean 'rank'?", or nothing where no known word is like the one written.
std::string did_you_mean(std::string_view written, std::span<const std::string> known);

}  // namespace disc
