#include "pipeline/memory.hpp"

#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <charconv>
#include <cmath>
#include <fstream>
#include <limits>
#include <string>

#include "disc/pipeline.hpp"

namespace disc {
namespace {

constexpr double at_rest = 100.0 * 1024 * 1024;  // the program itself, figure_data, tables

// Names and places that every process has of all features.
double of_all_features(const MemoryProblem& problem) {
  const double each = problem.processes > 1 ? 32.0 + 8.0 * static_cast<double>(problem.conditions) : 0.0;
  return each * static_cast<double>(problem.features);
}

// Data, and one matrix per condition beside the one being made. A batch of permutations holds matrices in single precision
// and their graphs; those of the units are bounded by themselves.
double in_dense_form(const MemoryProblem& problem) {
  const auto p = static_cast<double>(problem.features);
  const auto conditions = static_cast<double>(problem.conditions);
  const double number = problem.is_single ? 4 : 8;
  const double values = 8.0 * p * static_cast<double>(problem.samples);
  const double matrices = number * p * p * (conditions + 1) / static_cast<double>(problem.processes);
  const double permutations = problem.has_permutations ? 24.0 * p * p * conditions : 0.0;
  return 2.0 * values + std::max(matrices, permutations + matrices * conditions / (conditions + 1));
}

// Data, features as points in two orders, their nearest, the walk, and blocks of vectors.
double in_neighbors_form(const MemoryProblem& problem) {
  const double p = static_cast<double>(problem.features) / static_cast<double>(problem.processes);
  const auto conditions = static_cast<double>(problem.conditions);
  const double values = 8.0 * p * static_cast<double>(problem.samples);
  const double points = 8.0 * p * static_cast<double>(problem.samples) / conditions;
  constexpr double walk = 700.0;      // bytes per feature and condition: some 35 weights and vectors that stay
  constexpr double vectors = 1200.0;  // while a solver works
  return values + points + p * (walk * conditions + vectors) + of_all_features(problem);
}

// Data, and their scores while features join the groups; matrices of the prototypes; vectors and tables of all features.
double in_prototypes_form(const MemoryProblem& problem) {
  constexpr double prototypes = 1500.0;
  const auto p = static_cast<double>(problem.features);
  const auto conditions = static_cast<double>(problem.conditions);
  const double values = 8.0 * p * static_cast<double>(problem.samples);
  const double matrices = 40.0 * prototypes * prototypes * conditions;
  constexpr double vectors = 400.0;  // bytes per feature and condition
  return 2.0 * values + matrices + p * vectors * conditions;
}

}  // namespace

std::optional<double> parse_memory(const std::string& text) {
  double number = 0;
  const auto [end, error] = std::from_chars(text.data(), text.data() + text.size(), number);
  if (error != std::errc{} || !std::isfinite(number) || number <= 0) return std::nullopt;
  const std::string unit(end, text.data() + text.size());
  for (const auto& [name, bytes] : {std::pair<const char*, double>{"", gibibyte},
                                    {"T", 1024 * gibibyte},
                                    {"G", gibibyte},
                                    {"M", gibibyte / 1024},
                                    {"K", gibibyte / 1024 / 1024}}) {
    if (unit == name || (unit != "" && unit == std::string(name) + "iB")) return number * bytes;
  }
  return std::nullopt;
}

std::string memory_text(double bytes) {
  const bool is_large = bytes >= gibibyte;
  const double number = bytes / (is_large ? gibibyte : gibibyte / 1024);
  char text[32];
  const auto end = std::to_chars(text, text + sizeof text, number, std::chars_format::fixed, is_large ? 1 : 0).ptr;
  return std::string(text, end) + (is_large ? " GiB" : " MiB");
}

double memory_needed(const MemoryProblem& problem, GraphForm form) {
  if (form == GraphForm::prototypes) return at_rest + in_prototypes_form(problem);
  return at_rest + (form == GraphForm::knn ? in_neighbors_form(problem) : in_dense_form(problem));
}

double memory_available() {
  std::ifstream status("/proc/meminfo");
  std::string key;
  for (double kilobytes = 0; status >> key >> kilobytes; status.ignore(256, '\n')) {
    if (key == "MemAvailable:") return kilobytes * 1024;
  }
  return std::numeric_limits<double>::infinity();
}

double address_space_left() {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY)
    return std::numeric_limits<double>::infinity();
  double pages = 0;
  std::ifstream("/proc/self/statm") >> pages;
  return static_cast<double>(limit.rlim_cur) - pages * static_cast<double>(sysconf(_SC_PAGESIZE));
}

std::int64_t peak_memory_bytes() {
  // On Linux getrusage also counts the program that started this one; the kernel's own high-water mark does not.
  std::ifstream status("/proc/self/status");
  for (std::string key; status >> key;) {
    if (std::int64_t kilobytes = 0; key == "VmHWM:" && status >> kilobytes) return kilobytes * 1024;
  }
  rusage usage{};
  getrusage(RUSAGE_SELF, &usage);
#if defined(__APPLE__)
  return usage.ru_maxrss;
#else
  return static_cast<std::int64_t>(usage.ru_maxrss) * 1024;
#endif
}

}  // namespace disc
