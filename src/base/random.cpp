#include <array>

#include "disc/base.hpp"

namespace disc {

std::mt19937_64 random_stream(std::uint64_t seed, std::string_view stage, std::uint64_t item) {
  // FNV-1a of the stage's name keys the stream to the stage.
  std::uint64_t stage_key = 14695981039346656037ULL;
  for (const char letter : stage) {
    stage_key = (stage_key ^ static_cast<unsigned char>(letter)) * 1099511628211ULL;
  }
  std::array<std::uint32_t, 6> words{};
  const std::array<std::uint64_t, 3> keys{seed, stage_key, item};
  for (std::size_t k = 0; k < keys.size(); ++k) {
    words[2 * k] = static_cast<std::uint32_t>(keys[k]);
    words[2 * k + 1] = static_cast<std::uint32_t>(keys[k] >> 32);
  }
  std::seed_seq sequence(words.begin(), words.end());
  return std::mt19937_64(sequence);
}

}  // namespace disc
