#include "stats/kept_labellings.hpp"

namespace disc {
namespace {

std::size_t at(Index i) { return static_cast<std::size_t>(i); }

// Candidates as numbers: to keep them, and to hand them to other processes.
std::vector<double> packed(const std::vector<Candidate>& candidates) {
  std::vector<double> numbers;
  for (const Candidate& candidate : candidates) {
    numbers.insert(numbers.end(),
                   {static_cast<double>(candidate.condition), static_cast<double>(candidate.view), candidate.statistic,
                    static_cast<double>(candidate.features.size()), static_cast<double>(candidate.sign.size())});
    numbers.insert(numbers.end(), candidate.features.begin(), candidate.features.end());
    numbers.insert(numbers.end(), candidate.sign.begin(), candidate.sign.end());
  }
  return numbers;
}

std::vector<Candidate> unpacked(std::span<const double> numbers) {
  std::vector<Candidate> candidates;
  for (std::size_t i = 0; i + 5 <= numbers.size();) {
    Candidate candidate{static_cast<Index>(numbers[i]), static_cast<Index>(numbers[i + 1]), numbers[i + 2], {}, {}};
    const auto features = static_cast<std::size_t>(numbers[i + 3]);
    const auto signs = static_cast<std::size_t>(numbers[i + 4]);
    i += 5;
    for (std::size_t k = 0; k < features; ++k) candidate.features.push_back(static_cast<Index>(numbers[i + k]));
    i += features;
    for (std::size_t k = 0; k < signs; ++k) candidate.sign.push_back(static_cast<std::int8_t>(numbers[i + k]));
    i += signs;
    candidates.push_back(std::move(candidate));
  }
  return candidates;
}

// All fields by name: one that is added to the options does not compile here until it counts.
void add_options(Fingerprint& print, const AnalyzeOptions& options) {
  const auto& [association_z, min_group_size, is_target, views, start] = options;
  print.add(association_z).add(min_group_size).add(start);
  for (const bool target : is_target) print.add(target);
  for (const auto& [kind, directions] : views) print.add(kind).add(directions);
}

}  // namespace

void collect(std::vector<std::vector<Candidate>> own, std::span<const Index> numbers, Index total, Labellings& all,
             const Team* team) {
  const auto before = static_cast<Index>(all.size());
  all.resize(at(total));
  if (processes(team) == 1) {
    for (std::size_t b = 0; b < own.size(); ++b) all[at(numbers[b])] = std::move(own[b]);
    return;
  }
  std::vector<std::vector<double>> mine(at(total - before));
  for (std::size_t b = 0; b < own.size(); ++b) mine[at(numbers[b] - before)] = packed(own[b]);
  std::vector<double> sizes;
  for (const auto& numbers_of_one : mine) sizes.push_back(static_cast<double>(numbers_of_one.size()));
  sum_over(team, sizes);
  for (std::size_t b = 0; b < mine.size(); ++b) {
    mine[b].resize(static_cast<std::size_t>(sizes[b]), 0.0);
    sum_over(team, mine[b]);
    all[at(before) + b] = unpacked(mine[b]);
  }
}

KeptLabellings::KeptLabellings(const std::vector<Candidate>& truth, const MatrixF& labels, Index permutations,
                               const AnalyzeOptions& options, Checkpoints* checkpoints, const Context& context)
    : checkpoints_(checkpoints) {
  if (checkpoints == nullptr) return;
  Fingerprint print("permutations");
  print.add(permutations).add(context.seed()).add(labels);
  add_options(print, options);
  const std::vector<double> numbers = packed(truth);
  print.add(Vector(Eigen::Map<const Vector>(numbers.data(), static_cast<Index>(numbers.size()))));
  name_ = print.name();
}

void KeptLabellings::find(Labellings& all) const {
  if (name_.empty()) return;
  const auto bytes = checkpoints_->find(name_);
  if (!bytes) return;
  Unpacker unpack(*bytes);
  std::uint64_t count = 0;
  unpack(count);
  all.clear();
  for (std::uint64_t b = 0; b < count; ++b) {
    std::vector<double> numbers;
    unpack(numbers);
    all.push_back(unpacked(numbers));
  }
}

void KeptLabellings::keep(const Labellings& all) {
  const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - last_;
  if (name_.empty() || passed.count() < checkpoints_->checkpoint_after()) return;
  Packer pack;
  auto count = static_cast<std::uint64_t>(all.size());
  pack(count);
  for (const auto& candidates : all) {
    std::vector<double> numbers = packed(candidates);
    pack(numbers);
  }
  checkpoints_->keep(name_, pack.bytes());
  last_ = std::chrono::steady_clock::now();
}

}  // namespace disc
