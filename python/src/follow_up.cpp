// Given sets, and the groups of a run in other data. docs/python.md
#include <nanobind/nanobind.h>
#include <nanobind/ndarray.h>
#include <nanobind/stl/map.h>
#include <nanobind/stl/pair.h>
#include <nanobind/stl/string.h>
#include <nanobind/stl/tuple.h>
#include <nanobind/stl/vector.h>

#include "datasets.hpp"
#include "disc/disc.hpp"
#include "supervise.hpp"

namespace disc::python {
namespace {

using Sets = std::vector<std::pair<std::string, std::vector<std::string>>>;
using Inputs = std::vector<std::pair<std::string, std::string>>;

struct Question {
  SetTestOptions testing;
  RunOptions options;
  RunRecord record;
};

Question question_of(const Texts& given, const Inputs& inputs, Index permutations, Index min_members,
                     const std::vector<std::string>& without, int threads, std::uint64_t seed) {
  Question question;
  question.options = make_options("", given);
  question.options.statistics.permutations = permutations;
  if (permutations < 1) {
    throw OptionError("permutations", std::to_string(permutations), "must be at least 1 for p-values");
  }
  if (min_members < 2) throw OptionError("min-members", std::to_string(min_members), "must be at least 2");
  question.testing = {permutations, min_members, without};
  question.record.given = given;
  question.record.inputs = inputs;
  question.record.seed = seed;
  question.record.threads = threads;
  return question;
}

nb::dict as_dict(const std::vector<OutputFile>& files) {
  nb::dict result;
  for (const OutputFile& file : files) result[file.name.c_str()] = nb::bytes(file.bytes.data(), file.bytes.size());
  return result;
}

void add_warnings(const std::vector<std::string>& warnings, nb::dict& files) {
  nb::list list;
  for (const std::string& warning : warnings) list.append(warning);
  files["warnings"] = list;
}

nb::dict test_sets(std::vector<Dataset> conditions, const Texts& given, const Inputs& inputs, const Sets& named,
                   Index permutations, Index min_members, const std::vector<std::string>& without, int threads,
                   std::uint64_t seed, nb::object progress) {
  const Question question = question_of(given, inputs, permutations, min_members, without, threads, seed);
  std::vector<GivenSet> sets;
  for (const auto& [name, members] : named) sets.push_back({name, "", members});
  std::vector<std::string> warnings;
  nb::dict files = as_dict(supervised<std::vector<OutputFile>>(
      Session{threads, seed, std::move(progress)},
      [conditions = std::move(conditions), question, sets](const Context& context) {
        const SetStudy study = prepare_sets(conditions, question.options, sets, context);
        const SetTests tests = study.tester.test(sets, question.testing, context);
        return std::vector<OutputFile>{{"sets.tsv", sets_tsv(study, sets, tests)},
                                       {"sets.json", sets_json(study, tests, question.record)}};
      },
      &warnings));
  add_warnings(warnings, files);
  return files;
}

std::string text_of(const nb::bytes& bytes) { return {bytes.c_str(), bytes.size()}; }

nb::dict replicate_groups(std::vector<Dataset> conditions, const Texts& given, const Inputs& inputs,
                          const nb::bytes& groups, const nb::bytes& summary, Index permutations, Index min_members,
                          int threads, std::uint64_t seed, nb::object progress) {
  const Question question = question_of(given, inputs, permutations, min_members, {}, threads, seed);
  const FoundGroups run = read_groups(text_of(groups), text_of(summary), "the analysis");
  std::vector<std::string> warnings;
  nb::dict files = as_dict(supervised<std::vector<OutputFile>>(
      Session{threads, seed, std::move(progress)},
      [conditions = std::move(conditions), question, run](const Context& context) {
        const SetStudy study = prepare_sets(conditions, question.options, sets_of(run.groups), context);
        const Replications found = replicate(study, run, question.testing, context);
        return std::vector<OutputFile>{{"replication.tsv", replication_tsv(study, run.groups, found)},
                                       {"replication.json", sets_json(study, found.tests, question.record)}};
      },
      &warnings));
  add_warnings(warnings, files);
  return files;
}

nb::tuple project_groups(std::vector<Dataset> data, const nb::bytes& groups, const nb::bytes& summary) {
  const FoundGroups run = read_groups(text_of(groups), text_of(summary), "the analysis");
  Projection projection = supervised<Projection>(
      Session{0, 0, nb::none()},
      [data = std::move(data), run](const Context& context) { return project(data, run, context); });
  nb::list names;
  for (const RunGroup& group : run.groups) names.append(nb::make_tuple(group.condition, group.id));
  return nb::make_tuple(to_numpy(std::move(projection.scores)), names, projection.missing);
}

Sets sets_of_file(const std::filesystem::path& file) {
  Sets sets;
  for (const NamedSet& set : read_gmt(file)) sets.emplace_back(set.name, set.members);
  return sets;
}

}  // namespace

void bind_follow_up(nb::module_& module) {
  module.def("test_sets", test_sets, nb::arg("conditions"), nb::arg("given"), nb::arg("inputs"), nb::arg("sets"),
             nb::arg("permutations"), nb::arg("min_members"), nb::arg("without"), nb::arg("threads"), nb::arg("seed"),
             nb::arg("progress").none());
  module.def("replicate", replicate_groups, nb::arg("conditions"), nb::arg("given"), nb::arg("inputs"),
             nb::arg("groups"), nb::arg("summary"), nb::arg("permutations"), nb::arg("min_members"), nb::arg("threads"),
             nb::arg("seed"), nb::arg("progress").none());
  module.def("project_groups", project_groups, nb::arg("data"), nb::arg("groups"), nb::arg("summary"));
  module.def("read_gmt", [](const std::string& file) { return sets_of_file(file); });
}

}  // namespace disc::python
