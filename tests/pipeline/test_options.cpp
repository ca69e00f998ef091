// The option table: every option can be set, shown and read back; wrong values say what is allowed.
#include <gtest/gtest.h>

#include <algorithm>
#include <filesystem>
#include <fstream>
#include <set>
#include <sstream>

#include "disc/options.hpp"

namespace disc {
namespace {

std::string message_of(const std::string& name, const std::string& value) {
  RunOptions options;
  try {
    find_option(name).set(options, value);
  } catch (const OptionError& error) {
    EXPECT_EQ(error.option(), name);
    return error.what();
  }
  return "";
}

// A value that differs from the default, for every kind of option.
std::string other_value(const OptionField& field) {
  const std::string now = field.text(RunOptions{});
  if (!field.choices.empty()) return field.choices.front() == now ? field.choices.back() : field.choices.front();
  if (field.type == "integer") return now == "7" ? "8" : "7";
  if (field.type == "selection") return now == "all" ? "variable:7" : "all";
  if (field.name == "shape") return "3x5";
  return now == "0.005" ? "0.006" : "0.005";  // lies in the range of every number
}

TEST(OptionTable, NamesAreUniqueAndFlagsAreLowerCase) {
  std::set<std::string> names;
  for (const OptionField& field : option_table()) {
    EXPECT_TRUE(names.insert(field.name).second) << field.name;
    EXPECT_EQ(field.name.find_first_not_of("abcdefghijklmnopqrstuvwxyz-"), std::string::npos) << field.name;
    EXPECT_FALSE(field.section.empty()) << field.name;
    EXPECT_TRUE(
        (std::set<std::string>{"integer", "number", "choice", "switch", "text", "selection"}).contains(field.type))
        << field.name;
  }
}

TEST(OptionTable, HelpShowsTheDefault) {
  for (const OptionField& field : option_table()) {
    EXPECT_NE(field.help.find("(default: " + field.text(RunOptions{}) + ")"), std::string::npos) << field.name;
  }
}

TEST(OptionTable, DefaultsAreThoseOfTheStructs) {
  const RunOptions defaults;
  EXPECT_EQ(find_option("restarts").text(defaults), std::to_string(GroupOptions{}.restarts));
  EXPECT_EQ(find_option("max-restarts").text(defaults), std::to_string(SolverOptions{}.max_restarts));
  EXPECT_EQ(find_option("bandwidth-neighbors").text(defaults), "auto");
  EXPECT_EQ(find_option("kernel").text(defaults), "association");
  EXPECT_EQ(find_option("precision").text(defaults), "double");
}

// Every value set is the value shown, and no option disturbs another: rows of the table point at different fields.
TEST(OptionTable, EveryOptionIsReadBackAndTouchesNothingElse) {
  for (const OptionField& field : option_table()) {
    const std::string value = other_value(field);
    RunOptions options;
    field.set(options, value);
    EXPECT_EQ(field.text(options), value) << field.name;
    for (const OptionField& other : option_table()) {
      if (other.name == field.name) continue;
      EXPECT_EQ(other.text(options), other.text(RunOptions{})) << field.name << " changed " << other.name;
    }
  }
}

TEST(OptionTable, EveryChoiceIsAccepted) {
  for (const OptionField& field : option_table()) {
    for (const std::string& choice : field.choices) {
      RunOptions options;
      field.set(options, choice);
      EXPECT_EQ(field.text(options), choice) << field.name;
    }
  }
}

TEST(OptionTable, AutoUnsetsOptionalFieldsOnly) {
  RunOptions options;
  options.graph.bandwidth_neighbors = 5;
  find_option("bandwidth-neighbors").set(options, "auto");
  EXPECT_FALSE(options.graph.bandwidth_neighbors.has_value());
  EXPECT_EQ(message_of("restarts", "auto"), "--restarts auto: must be a whole number of at least 1");
}

TEST(OptionTable, ErrorsNameOptionValueAndRule) {
  EXPECT_EQ(message_of("bandwidth-neighbors", "0"),
            "--bandwidth-neighbors 0: must be a whole number of at least 1, or auto");
  EXPECT_EQ(message_of("kernel", "rbff"),
            "--kernel rbff: must be one of self-tuning, adaptive, rbf, association, precomputed; did you mean 'rbf'?");
  EXPECT_EQ(message_of("density-exponent", "1.5"), "--density-exponent 1.5: must be a number from 0 to 1");
  EXPECT_EQ(message_of("association-fdr", "1"), "--association-fdr 1: must be a number above 0 and below 1");
  EXPECT_EQ(message_of("epsilon", "0"), "--epsilon 0: must be a number above 0");
  EXPECT_EQ(message_of("drop-largest", "maybe"), "--drop-largest maybe: must be one of yes, no");
}

TEST(OptionTable, WhatIsNoNumberIsRefused) {
  for (const char* value : {"", " ", "three", "3x", "3.5", "1e3", "99999999999999999999", "nan", "-1"}) {
    EXPECT_NE(message_of("eigenvectors", value), "") << value;
  }
  for (const char* value : {"", "x", "1,5", "nan", "inf", "-inf", "1e999", "-0.1"}) {
    EXPECT_NE(message_of("degree-regularization", value), "") << value;
  }
}

TEST(FindOption, UnknownNameIsAnError) { EXPECT_THROW(find_option("neighbors"), OptionError); }

TEST(MakeOptions, PresetsSetWhatTheMethodSays) {
  const RunOptions code = make_options("paper-code", {});
  EXPECT_EQ(code.graph.kernel, Kernel::adaptive);
  EXPECT_EQ(code.graph.distance, Distance::euclidean);
  EXPECT_EQ(code.graph.density_exponent, 1.0);
  EXPECT_EQ(code.graph.degree_regularization, 0.0);
  EXPECT_EQ(code.differential.constant_vector, ConstantVector::drop);
  const RunOptions text = make_options("paper-text", {});
  EXPECT_EQ(text.graph.kernel, Kernel::self_tuning);
  EXPECT_EQ(text.graph.distance, Distance::euclidean);
  EXPECT_EQ(text.graph.density_exponent, 0.0);
  EXPECT_EQ(text.graph.degree_regularization, 0.0);
  EXPECT_EQ(text.differential.constant_vector, ConstantVector::keep);
}

TEST(MakeOptions, WhatTheUserGivesWinsOverThePreset) {
  const RunOptions options = make_options("paper-code", {{"kernel", "rbf"}, {"bandwidth-neighbors", "9"}});
  EXPECT_EQ(options.graph.kernel, Kernel::rbf);
  EXPECT_EQ(options.graph.bandwidth_neighbors, 9);
  EXPECT_EQ(options.graph.density_exponent, 1.0);
}

TEST(MakeOptions, UnknownPresetAndUnknownOptionAreErrors) {
  EXPECT_THROW(make_options("paper", {}), OptionError);
  EXPECT_THROW(make_options("", {{"neighbors", "3"}}), OptionError);
}

TEST(Documentation, EveryOptionAndPresetIsInTheManual) {
  std::ifstream file(std::string(DISC_SOURCE_DIR) + "/docs/cli.md");
  ASSERT_TRUE(file.is_open());
  std::stringstream manual;
  manual << file.rdbuf();
  for (const OptionField& field : option_table()) {
    EXPECT_NE(manual.str().find("`--" + field.name + "`"), std::string::npos) << field.name;
    for (const std::string& choice : field.choices) EXPECT_NE(manual.str().find(choice), std::string::npos) << choice;
  }
  for (const Preset& preset : presets()) EXPECT_NE(manual.str().find(preset.name), std::string::npos) << preset.name;
}

TEST(ReadOptionTable, ValuesAreCheckedAndSet) {
  const ReadOptions options = make_read_options(
      {{"samples-in", "columns"}, {"delimiter", "tab"}, {"header", "no"}, {"row-names", "auto"}, {"layer", "counts"}});
  EXPECT_EQ(options.samples_in, SamplesIn::columns);
  EXPECT_EQ(options.delimiter, '\t');
  EXPECT_EQ(options.header, false);
  EXPECT_FALSE(options.row_names.has_value());
  EXPECT_EQ(options.layer, "counts");
  for (const auto& [name, value] : std::map<std::string, std::string>{
           {"samples-in", "diagonals"}, {"delimiter", "tabs"}, {"header", "perhaps"}, {"no-such-option", "1"}}) {
    EXPECT_THROW(make_read_options({{name, value}}), OptionError) << name;
  }
}

std::vector<std::string> names_of(const std::vector<std::filesystem::path>& files,
                                  const std::vector<std::string>& given = {}) {
  return name_conditions(files, given);
}

TEST(NameConditions, FilesWithoutExtension) {
  EXPECT_EQ(names_of({"data/control.csv.gz", "treated.v2.npy", "ctrl/"}),
            (std::vector<std::string>{"control", "treated.v2", "ctrl"}));
}

TEST(NameConditions, FoldersTellFilesOfTheSameNameApart) {
  EXPECT_EQ(names_of({"a/X.npy", "b/X.npy", "b/Y.npy"}), (std::vector<std::string>{"a_X", "b_X", "Y"}));
  EXPECT_EQ(names_of({"1/s/X.npy", "2/s/X.npy"}), (std::vector<std::string>{"1_s_X", "2_s_X"}));
}

TEST(NameConditions, TheSameFileTwiceIsNumbered) {
  EXPECT_EQ(names_of({"X.npy", "./X.npy", "X.npy"}), (std::vector<std::string>{"X", "X_2", "X_3"}));
}

TEST(NameConditions, GivenNamesMustFit) {
  EXPECT_EQ(names_of({"a.npy", "b.npy"}, {"one", "two"}), (std::vector<std::string>{"one", "two"}));
  EXPECT_THROW(names_of({"a.npy", "b.npy"}, {"one"}), OptionError);
  EXPECT_THROW(names_of({"a.npy", "b.npy"}, {"one", "one"}), OptionError);
  EXPECT_THROW(names_of({"a.npy", "b.npy"}, {"one", ""}), OptionError);
}

}  // namespace
}  // namespace disc
