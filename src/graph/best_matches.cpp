#include "graph/best_matches.hpp"

#include <algorithm>

#include "matrix/simd.hpp"

namespace disc {
namespace {

constexpr Index run = 16;

DISC_SIMD bool any_at_most(const float* keys, float threshold) {
  int found = 0;
  for (Index i = 0; i < run; ++i) found |= keys[i] <= threshold ? 1 : 0;
  return found != 0;
}

}  // namespace

void BestMatches::reset(Index count) {
  count_ = static_cast<std::size_t>(count);
  kept_.clear();
  kept_.reserve(4 * count_ + static_cast<std::size_t>(run));
  threshold_ = std::numeric_limits<float>::infinity();
}

void BestMatches::shrink() {
  if (kept_.size() <= count_) return;
  const auto last = kept_.begin() + static_cast<std::ptrdiff_t>(count_) - 1;
  std::nth_element(kept_.begin(), last, kept_.end());
  threshold_ = last->key;
  kept_.resize(count_);
}

void BestMatches::offer(const float* keys, Index count, std::int32_t first, std::int32_t skip) {
  for (Index i = 0; i < count; i += run) {
    const Index end = std::min(count, i + run);
    if (end - i == run && !any_at_most(keys + i, threshold_)) continue;
    for (Index k = i; k < end; ++k) {
      const auto name = first + static_cast<std::int32_t>(k);
      if (keys[k] <= threshold_ && name != skip) kept_.push_back({keys[k], name});
    }
    if (kept_.size() >= 4 * count_) shrink();
  }
}

void BestMatches::reset(Index count, std::span<const Match> before) {
  reset(count);
  kept_.assign(before.begin(), before.end());
  if (kept_.size() >= count_) threshold_ = std::ranges::max_element(kept_, std::less<>())->key;
}

const std::vector<BestMatches::Match>& BestMatches::finish() {
  shrink();
  std::ranges::sort(kept_, std::less<>());
  return kept_;
}

Index BestMatches::finish(std::int32_t* names) {
  finish();
  for (std::size_t i = 0; i < kept_.size(); ++i) names[i] = kept_[i].name;
  return static_cast<Index>(kept_.size());
}

std::vector<BestMatches*> pointers_to(std::vector<BestMatches>& all) {
  std::vector<BestMatches*> pointers;
  pointers.reserve(all.size());
  for (BestMatches& one : all) pointers.push_back(&one);
  return pointers;
}

}  // namespace disc
