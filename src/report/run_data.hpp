// A run as every part of the page's data needs it.
#pragma once

#include <string>
#include <unordered_map>
#include <unordered_set>
#include <vector>

#include "report/run_files.hpp"

namespace disc::report {

constexpr std::size_t max_drawn_groups = 60;  // with pictures of their own

inline std::size_t at(Index i) { return static_cast<std::size_t>(i); }

/// A cell of a table that holds a number, or null.
Json cell_number(const std::string& cell);

/// Rows of the lower triangle, with the diagonal: both triangles are the same.
Json lower_triangle(const RowMatrix& matrix);

/// What every part of the data needs to know.
struct Run {
  explicit Run(RunFiles all);
  Index features() const { return static_cast<Index>(names.size()); }

  RunFiles files;
  Json summary;
  std::vector<std::string> names, condition_names, keys;
  std::vector<std::vector<double>> energy;  // per condition and feature
  std::unordered_map<std::string, Index> place_of;
};

/// A group as groups.tsv lists it.
struct Group {
  std::size_t condition = 0;
  std::string id;                                   // as the file writes it
  std::size_t number = 0;                           // its place among the groups of its condition, from 1
  std::vector<std::pair<Index, double>> members{};  // by falling weight
  std::unordered_set<Index> core{};                 // members whose connections with each other are new
  std::unordered_set<Index> opposite{};             // members that go against the others
  bool core_known = false;
};

/// All groups, in the order of the file: the groups of the page are these.
std::vector<Group> read_groups(const Run& run);

/// Rewrites the groups of summary.json into the form that the page reads (report/src/data.ts), whichever version of the program
/// wrote them. Groups that groups.tsv does not list become candidates.
void normalize_groups(Json& summary, const std::vector<Group>& groups);

/// How many members of each group are taken so that there are no more than about `most` of all groups.
std::size_t members_taken(const std::vector<Group>& groups, std::size_t most);

Json describe_groups(const Run& run, const std::vector<Group>& groups);
/// Members with their connections: up to 60 groups have such a picture, those listed first.
Json describe_graphs(const Run& run, const std::vector<Group>& groups);
Json describe_samples(const Run& run);
/// Units with the mean correlation within every group, and its score; null where there are none.
Json describe_units(const Run& run, const std::vector<Group>& groups);
/// Values of single features, null where the run kept none.
Json describe_values(const Run& run);
/// The strongest connections of the features shown, null where the run kept none.
Json describe_partners(const Run& run, const std::vector<Index>& shown);
Json describe_enrichment(const Run& run, const std::vector<Group>& groups);
Json describe_pairs(const Run& run);

}  // namespace disc::report
