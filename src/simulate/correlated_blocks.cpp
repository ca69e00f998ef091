// The paper's problems made of noise and of blocks of correlated features. Section 4.1, appendices D and E.
#include <algorithm>
#include <cmath>
#include <utility>
#include <vector>

#include "simulate/problems.hpp"
#include "spectral/symmetric_dense.hpp"

namespace disc {
namespace {

constexpr double kNoiseScale = 0.8;      // of a noise feature, relative to the scale of the problem
constexpr double kUsualScale = 0.005;    // c of the paper
constexpr double kSubsetsScale = 0.001;  // c of "subsets" and "both"

/// Adjoining features of one condition that are drawn together: part of a correlated block, or noise.
struct Piece {
  static constexpr Index kNoise = -1;
  Index first = 0, size = 0;
  Index block = kNoise;  ///< number of the correlated block in the problem
  Index offset = 0;      ///< first feature of the piece within the block
  double strength = 1;   ///< t: eigenvalues of the block fall like exp(-i t)
};

/// A group to find.
struct TrueGroup {
  std::string condition;
  Index first = 0, size = 0;
};

struct Layout {
  Index features = 0;
  double scale = kUsualScale;
  std::vector<Index> block_sizes;
  std::vector<std::string> names;              ///< of the conditions
  std::vector<std::vector<Piece>> conditions;  ///< pieces in the order of the features, all features covered
  std::vector<TrueGroup> truth;
};

/// 100 noise features, then blocks of 25; `present[m][b]` says whether condition m has block b or noise in its place.
Layout layout_of_presence(const std::vector<std::string>& names, const std::vector<std::vector<bool>>& present) {
  constexpr Index noise = 100;
  constexpr Index size = 25;
  Layout layout;
  layout.names = names;
  const Index blocks = static_cast<Index>(present[0].size());
  layout.features = noise + blocks * size;
  layout.block_sizes.assign(present[0].size(), size);
  for (std::size_t m = 0; m < names.size(); ++m) {
    std::vector<Piece> pieces{{0, noise}};
    for (Index b = 0; b < blocks; ++b) {
      const bool here = present[m][static_cast<std::size_t>(b)];
      pieces.push_back({noise + b * size, size, here ? b : Piece::kNoise});
      const auto conditions_with = std::ranges::count_if(
          present, [&](const std::vector<bool>& row) { return row[static_cast<std::size_t>(b)]; });
      if (here && conditions_with == 1) layout.truth.push_back({names[m], noise + b * size, size});
    }
    layout.conditions.push_back(std::move(pieces));
  }
  return layout;
}

Layout newly_connected() {
  return layout_of_presence({"A", "B"},
                            {{true, true, true, true, false, false}, {true, true, false, false, true, true}});
}

/// Features 151-200 keep part of their connection in B; at t = 1 all of it, and then A has nothing of its own.
Layout partial(double strength) {
  Layout layout = newly_connected();
  for (const Index block : {Index{2}, Index{3}}) {
    Piece& piece = layout.conditions[1][static_cast<std::size_t>(block + 1)];
    piece.block = block;
    piece.strength = strength;
  }
  if (strength >= 1) std::erase_if(layout.truth, [](const TrueGroup& group) { return group.condition == "A"; });
  return layout;
}

Layout three_conditions() {
  // Blocks 1-2 in all; 3-4 in A, C; 5-6 only B; 7-8 in B, C; 9-10 only A; 11-12 only C.
  const std::vector<std::vector<bool>> pairs{{true, true, false, false, true, false},
                                             {true, false, true, true, false, false},
                                             {true, true, false, true, false, true}};
  std::vector<std::vector<bool>> present;
  for (const std::vector<bool>& row : pairs) {
    std::vector<bool> doubled;
    for (const bool here : row) doubled.insert(doubled.end(), 2, here);
    present.push_back(std::move(doubled));
  }
  return layout_of_presence({"A", "B", "C"}, present);
}

/// Two blocks of 100; B splits the second into 25 and 75 and, on request, A the first into 75 and 25.
Layout split_blocks(bool a_splits) {
  Layout layout;
  layout.features = 200;
  layout.scale = kSubsetsScale;
  layout.block_sizes = {100, 100};
  layout.names = {"A", "B"};
  layout.conditions.resize(2);
  if (a_splits) {
    layout.conditions[0] = {{0, 75, 0, 0}, {75, 25, 0, 75}, {100, 100, 1, 0}};
    layout.truth = {{"A", 0, 75}, {"A", 75, 25}};
  } else {
    layout.conditions[0] = {{0, 100, 0, 0}, {100, 100, 1, 0}};
  }
  layout.conditions[1] = {{0, 100, 0, 0}, {100, 25, 1, 0}, {125, 75, 1, 25}};
  layout.truth.push_back({"B", 100, 25});
  layout.truth.push_back({"B", 125, 75});
  return layout;
}

Layout layout_of(const SimulateOptions& options) {
  if (options.problem == "subsets") return split_blocks(false);
  if (options.problem == "both") return split_blocks(true);
  if (options.problem == "three") return three_conditions();
  if (options.problem == "partial") return partial(options.partial);
  return newly_connected();
}

/// The same problem several times side by side, every time with blocks of its own.
Layout repeated(const Layout& once, const std::optional<Index>& features) {
  if (!features || *features == once.features) return once;
  if (*features < once.features || *features % once.features != 0) {
    throw OptionError("features", std::to_string(*features),
                      "must be a multiple of the problem's " + std::to_string(once.features) + " features");
  }
  Layout all = once;
  const Index blocks = static_cast<Index>(once.block_sizes.size());
  for (Index copy = 1; copy < *features / once.features; ++copy) {
    const Index shift = copy * once.features;
    all.block_sizes.insert(all.block_sizes.end(), once.block_sizes.begin(), once.block_sizes.end());
    for (std::size_t m = 0; m < once.conditions.size(); ++m) {
      for (Piece piece : once.conditions[m]) {
        piece.first += shift;
        if (piece.block != Piece::kNoise) piece.block += copy * blocks;
        all.conditions[m].push_back(piece);
      }
    }
    for (TrueGroup group : once.truth) {
      group.first += shift;
      all.truth.push_back(group);
    }
  }
  all.features = *features;
  return all;
}

/// Uniformly distributed orthogonal matrix: Q of a normal matrix, with the signs that make R's diagonal positive.
Matrix random_orthogonal(Index size, std::mt19937_64& random) {
  std::normal_distribution<double> normal;
  Matrix q = Matrix::NullaryExpr(size, size, [&] { return normal(random); });
  for (Index i = 0; i < size; ++i) {
    for (int again = 0; again < 2; ++again) {  // once loses orthogonality where columns are nearly dependent
      const Vector along = q.leftCols(i).transpose() * q.col(i);
      q.col(i) -= q.leftCols(i) * along;
    }
    q.col(i).normalize();
  }
  return q;
}

/// C = |V diag V'| of one block, entry by entry; the covariance is C C'. `strength` changes the eigenvalues, not V.
Matrix block_root(const std::string& problem, Index block, Index size, double strength, const Context& context) {
  std::mt19937_64 random =
      random_stream(context.seed(), "simulate/" + problem + "/covariance", static_cast<std::uint64_t>(block));
  const Matrix v = random_orthogonal(size, random);
  Vector eigenvalues = (-strength * Vector::LinSpaced(size, 0, static_cast<double>(size - 1))).array().exp();
  eigenvalues *= static_cast<double>(size) / eigenvalues.sum();
  return (v * eigenvalues.asDiagonal() * v.transpose()).cwiseAbs();
}

/// Symmetric square root of a covariance that may be singular to working precision.
Matrix square_root(const Matrix& covariance) {
  const SmallEigen pairs = small_symmetric_eigen(covariance);
  const Vector roots = pairs.values.cwiseMax(0.0).cwiseSqrt();
  return pairs.vectors * roots.asDiagonal() * pairs.vectors.transpose();
}

/// What standard normal rows are multiplied with to become samples of the piece.
Matrix mixing_of(const Piece& piece, const Layout& layout, const std::string& problem, const Context& context) {
  if (piece.block == Piece::kNoise) return Matrix();
  const Index whole = layout.block_sizes[static_cast<std::size_t>(piece.block)];
  const Matrix root = block_root(problem, piece.block, whole, piece.strength, context);
  if (piece.size == whole) return root.transpose();
  const Matrix covariance = root * root.transpose();
  return square_root(covariance.block(piece.offset, piece.offset, piece.size, piece.size));
}

void draw(const Piece& piece, const Matrix& mixing, double scale, std::mt19937_64& random, Index first_sample,
          Index samples, RowMatrix& values) {
  std::normal_distribution<double> normal;
  RowMatrix drawn(samples, piece.size);
  for (Index i = 0; i < samples; ++i) {
    for (Index j = 0; j < piece.size; ++j) drawn(i, j) = normal(random);
  }
  auto target = values.block(first_sample, piece.first, samples, piece.size);
  if (piece.block == Piece::kNoise) {
    target = drawn * (kNoiseScale * scale);
  } else {
    target.noalias() = drawn * (scale * mixing);
  }
}

RowMatrix draw_condition(const Layout& layout, std::size_t condition, const SimulateOptions& options,
                         const Context& context) {
  const std::vector<Piece>& pieces = layout.conditions[condition];
  std::vector<Matrix> mixings(pieces.size());
  context.parallel_for(static_cast<Index>(pieces.size()), [&](Index k) {
    const auto piece = static_cast<std::size_t>(k);
    mixings[piece] = mixing_of(pieces[piece], layout, options.problem, context);
  });
  RowMatrix values(*options.samples, layout.features);
  const Index chunks = stream_count(*options.samples);
  context.parallel_for(static_cast<Index>(pieces.size()) * chunks, [&](Index item) {
    const auto piece = static_cast<std::size_t>(item / chunks);
    const Index chunk = item % chunks;
    const Index first = chunk * kSamplesPerStream;
    std::mt19937_64 random = random_stream(
        context.seed(), "simulate/" + options.problem + "/" + layout.names[condition] + "/" + std::to_string(piece),
        static_cast<std::uint64_t>(chunk));
    draw(pieces[piece], mixings[piece], layout.scale, random, first,
         std::min(kSamplesPerStream, *options.samples - first), values);
  });
  return values;
}

}  // namespace

bool is_correlated_blocks(const std::string& problem) {
  return problem == "newly-connected" || problem == "subsets" || problem == "both" || problem == "three" ||
         problem == "partial";
}

Simulation simulate_correlated_blocks(const SimulateOptions& options, const Context& context) {
  const Layout layout = repeated(layout_of(options), options.features);
  Simulation simulation;
  for (std::size_t m = 0; m < layout.names.size(); ++m) {
    simulation.conditions.push_back(make_dataset(layout.names[m], draw_condition(layout, m, options, context)));
    Index number = 0;
    for (const TrueGroup& group : layout.truth) {
      if (group.condition != layout.names[m]) continue;
      add_truth(simulation.truth, group.condition, ++number, group.first, group.size);
    }
  }
  return simulation;
}

}  // namespace disc
