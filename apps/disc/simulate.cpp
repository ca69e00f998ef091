// disc simulate PROBLEM -o FOLDER
#include <filesystem>
#include <iostream>
#include <map>
#include <memory>
#include <numeric>

#include "commands.hpp"
#include "disc/io.hpp"
#include "disc/simulate.hpp"
#include "session.hpp"

namespace disc::app {
namespace {

struct SimulateFlags {
  std::string problem;
  std::map<std::string, std::string> given;
  std::filesystem::path output;
  SessionFlags session;
};

std::string encode_values(const SampleMatrix& values) {
  std::vector<Index> columns(static_cast<std::size_t>(values.cols()));
  std::iota(columns.begin(), columns.end(), Index{0});
  RowMatrix rows;
  values.copy_rows(0, values.rows(), columns, rows);
  return encode_npy(to_array("", rows));
}

std::string listed(const std::vector<SimulationProblem>& list) {
  std::string text;
  for (const SimulationProblem& entry : list) text += "  " + entry.name + ": " + entry.description + "\n";
  return text;
}

Simulation make(const SimulateFlags& flags, const Context& context) {
  try {
    return simulate(make_simulate_options(flags.problem, flags.given), context);
  } catch (const std::bad_alloc&) {
    throw CLI::ValidationError(
        "simulate: the data asked for do not fit into memory; ask for fewer samples or features");
  }
}

ExitCode execute(const SimulateFlags& flags) {
  Session session(flags.session);
  const std::filesystem::path place = flags.output.empty() ? std::filesystem::path(flags.problem) : flags.output;
  OutputFolder folder(place);
  const Simulation simulation = make(flags, session.context());
  TextTable truth{{"condition", "group", "feature"}, {}};
  for (const NamedGroups::Row& row : simulation.truth.rows)
    truth.rows.push_back({row.condition, row.group, row.feature});
  std::string next = "disc run";
  for (const Dataset& condition : simulation.conditions) {
    folder.write(condition.name + ".npy", encode_values(condition.values));
    next += " " + (place / (condition.name + ".npy")).string();
    session.context().check_stop();
  }
  folder.write("truth.tsv", encode_tsv(truth));
  folder.commit();

  session.console().erase_line();
  if (flags.session.quiet) return ok;
  std::cout << "wrote " << (place / "").string() << ":";
  for (const Dataset& condition : simulation.conditions) {
    std::cout << " " << condition.name << ".npy (" << condition.values.rows() << " x " << condition.values.cols()
              << "),";
  }
  std::cout << " truth.tsv\nnow try: " << next << (simulation.precomputed ? " --kernel precomputed" : "") << " -o "
            << (place / "out").string() << "\n";
  return ok;
}

}  // namespace

Command add_simulate(CLI::App& program) {
  auto flags = std::make_shared<SimulateFlags>();
  CLI::App* app =
      program.add_subcommand("simulate", "make data whose groups are known: A.npy, B.npy, ... and truth.tsv");
  app->add_option("PROBLEM", flags->problem, "which problem, see below")->required()->option_text(" ");
  app->add_option("-o,--output", flags->output, "folder to write, made if needed (default: the name of the problem)")
      ->option_text("FOLDER");
  for (const SimulateField& field : simulate_option_table()) {
    app->add_option_function<std::string>(
           "--" + field.name,
           [&given = flags->given, name = field.name](const std::string& value) { given[name] = value; }, field.help)
        ->option_text(field.placeholder);
  }
  add_session_flags(*app, flags->session);
  app->footer("Problems:\n" + listed(simulation_problems()) + "\nVariants of hard:\n" + listed(simulation_variants()) +
              "\nExample:\n  disc simulate newly-connected -o toy/ --samples 4000 --seed 1");
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
