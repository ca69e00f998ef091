// Two dates of a scene: pixels are features, bands are samples, and an object is there at the second date only.
#include <algorithm>
#include <cmath>
#include <numbers>
#include <vector>

#include "simulate/problems.hpp"

namespace disc {
namespace {

constexpr Index kMaterials = 12;
constexpr Index kPixelsPerField = 8000;
constexpr double kObjectSide = 0.06;  // of the side of the scene
constexpr double kNoise = 0.01;       // of a band, where spectra are about 1
constexpr Index kTextures = 4;        // ways in which pixels of one material differ
constexpr double kTexture = 0.1;      // and how much
constexpr double kUnlike = 0.3;       // correlation of the object's spectrum with any material, at most

double correlation(const Vector& a, const Vector& b) {
  const Vector x = a.array() - a.mean();
  const Vector y = b.array() - b.mean();
  return x.dot(y) / std::sqrt(x.squaredNorm() * y.squaredNorm());
}

/// Sunlight and air, which all pixels share.
Vector continuum(Index bands) {
  const Vector t = Vector::LinSpaced(bands, 0.0, 1.0);
  return 0.1 + 0.9 * (std::numbers::pi * t.array()).sin();
}

/// What reflects light: a level and a few features. Those of soil and plants are broad, those of paints and dyes narrow.
struct Curve {
  int bumps;
  double narrowest, widest;  // of all bands
};
constexpr Curve kNatural{4, 0.05, 0.2};
constexpr Curve kPainted{8, 0.01, 0.04};

Vector reflectance(const Curve& kind, Index bands, std::mt19937_64& random) {
  std::uniform_real_distribution<double> uniform;
  const Vector t = Vector::LinSpaced(bands, 0.0, 1.0);
  Vector curve = Vector::Constant(bands, 0.5);
  for (int bump = 0; bump < kind.bumps; ++bump) {
    const double height = 0.8 * (uniform(random) - 0.5);
    const double center = uniform(random);
    const double width = kind.narrowest + (kind.widest - kind.narrowest) * uniform(random);
    curve.array() += height * (-((t.array() - center) / width).square()).exp();
  }
  return curve;
}

/// Spectra of the materials, bands x materials, of an object unlike all of them once what is common is removed, and of what
/// varies from pixel to pixel.
struct Spectra {
  Matrix materials;
  Vector object;
  Matrix textures;
};

Spectra draw_spectra(Index bands, std::mt19937_64& random) {
  Spectra spectra{Matrix(bands, kMaterials), Vector(), Matrix(bands, kTextures)};
  for (Index m = 0; m < kMaterials; ++m) spectra.materials.col(m) = reflectance(kNatural, bands, random);
  const Vector mean = spectra.materials.rowwise().mean();
  const auto is_unlike = [&](const Vector& curve) {
    for (Index m = 0; m < kMaterials; ++m) {
      if (correlation(curve - mean, spectra.materials.col(m) - mean) > kUnlike) return false;
    }
    return true;
  };
  constexpr int tries = 10'000;
  spectra.object = reflectance(kPainted, bands, random);
  for (int t = 0; t < tries && !is_unlike(spectra.object); ++t) spectra.object = reflectance(kPainted, bands, random);
  for (Index k = 0; k < kTextures; ++k) spectra.textures.col(k) = reflectance(kNatural, bands, random).array() - 0.5;
  const Vector light = continuum(bands);
  spectra.materials.array().colwise() *= light.array();
  spectra.object.array() *= light.array();
  spectra.textures.array().colwise() *= light.array();
  return spectra;
}

/// Fields of one main material and some of another: the nearest of random places.
struct Fields {
  std::vector<Index> of_pixel;
  std::vector<Index> main, second;
};

Fields draw_fields(Index side, std::mt19937_64& random, const Context& context) {
  const Index count = std::max<Index>(2 * kMaterials, side * side / kPixelsPerField);
  std::uniform_real_distribution<double> place(0.0, static_cast<double>(side));
  std::uniform_int_distribution<Index> material(0, kMaterials - 1);
  Fields fields;
  std::vector<double> x, y;
  for (Index f = 0; f < count; ++f) {
    x.push_back(place(random));
    y.push_back(place(random));
    fields.main.push_back(f % kMaterials);
    fields.second.push_back(material(random));
  }
  fields.of_pixel.resize(static_cast<std::size_t>(side * side));
  context.parallel_for(side, [&](Index row) {
    for (Index col = 0; col < side; ++col) {
      std::size_t best = 0;
      double nearest = 4.0 * static_cast<double>(side * side);
      for (std::size_t f = 0; f < x.size(); ++f) {
        const double distance = std::hypot(x[f] - static_cast<double>(col), y[f] - static_cast<double>(row));
        if (distance >= nearest) continue;
        nearest = distance;
        best = f;
      }
      fields.of_pixel[static_cast<std::size_t>(row * side + col)] = static_cast<Index>(best);
    }
  });
  return fields;
}

struct Square {
  Index row = 0, col = 0, side = 0;
  bool contains(Index pixel, Index scene) const {
    const Index r = pixel / scene;
    const Index c = pixel % scene;
    return r >= row && r < row + side && c >= col && c < col + side;
  }
};

/// One date: its own light, gain and offset of every band, brightness and mixture of every pixel, and noise.
RowMatrix draw_date(const std::string& date, const Spectra& spectra, const Fields& fields, const Square* object,
                    Index side, const Context& context) {
  const Index bands = spectra.materials.rows();
  const Index pixels = side * side;
  std::mt19937_64 random = random_stream(context.seed(), "simulate/scene/" + date);
  // What calibration leaves of the difference between two dates.
  const Vector gain = 0.98 + 0.04 * reflectance(kNatural, bands, random).array();
  const Vector offset = 0.01 * reflectance(kNatural, bands, random);
  RowMatrix values(bands, pixels);
  constexpr Index pixels_per_stream = 4096;
  context.parallel_for((pixels + pixels_per_stream - 1) / pixels_per_stream, [&](Index piece) {
    std::mt19937_64 own =
        random_stream(context.seed(), "simulate/scene/" + date + "/pixels", static_cast<std::uint64_t>(piece));
    std::normal_distribution<double> normal;
    std::uniform_real_distribution<double> uniform;
    Vector spectrum(bands);
    const Index end = std::min(pixels, (piece + 1) * pixels_per_stream);
    for (Index pixel = piece * pixels_per_stream; pixel < end; ++pixel) {
      const auto field = static_cast<std::size_t>(fields.of_pixel[static_cast<std::size_t>(pixel)]);
      const double share = 0.2 * uniform(own);
      if (object != nullptr && object->contains(pixel, side)) {
        spectrum = spectra.object;
      } else {
        spectrum = (1.0 - share) * spectra.materials.col(fields.main[field]) +
                   share * spectra.materials.col(fields.second[field]);
      }
      for (Index k = 0; k < kTextures; ++k) spectrum += kTexture * normal(own) * spectra.textures.col(k);
      const double brightness = std::exp(0.1 * normal(own));
      for (Index b = 0; b < bands; ++b) {
        values(b, pixel) = brightness * gain[b] * spectrum[b] + offset[b] + kNoise * normal(own);
      }
    }
  });
  return values;
}

}  // namespace

Simulation simulate_scene(const SimulateOptions& options, const Context& context) {
  const Index side = std::lround(std::sqrt(static_cast<double>(*options.features)));
  if (side * side != *options.features || side < 20) {
    throw OptionError("features", std::to_string(*options.features),
                      "a scene is square: its pixels must be a square number, at least 400");
  }
  std::mt19937_64 random = random_stream(context.seed(), "simulate/scene");
  const Spectra spectra = draw_spectra(*options.samples, random);
  const Fields fields = draw_fields(side, random, context);
  Square object{0, 0, std::max<Index>(3, std::lround(kObjectSide * static_cast<double>(side)))};
  std::uniform_int_distribution<Index> place(0, side - object.side);
  object.row = place(random);
  object.col = place(random);

  Simulation simulation;
  simulation.conditions.push_back(make_dataset("A", draw_date("A", spectra, fields, nullptr, side, context)));
  simulation.conditions.push_back(make_dataset("B", draw_date("B", spectra, fields, &object, side, context)));
  for (Index pixel = 0; pixel < side * side; ++pixel) {
    if (object.contains(pixel, side)) add_truth(simulation.truth, "B", 1, pixel, 1);
  }
  return simulation;
}

}  // namespace disc
