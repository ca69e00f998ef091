// disc run FILES... -o OUT

#include <algorithm>
#include <chrono>
#include <filesystem>
#include <functional>
#include <iostream>
#include <map>
#include <memory>
#include <optional>

#include "clock.hpp"
#include "commands.hpp"
#include "disc/checkpoints.hpp"
#include "disc/distributed.hpp"
#include "disc/io.hpp"
#include "disc/manifest.hpp"
#include "disc/options.hpp"
#include "disc/pipeline.hpp"
#include "disc/plan.hpp"
#include "disc/report.hpp"
#include "dry_run.hpp"
#include "help.hpp"
#include "print_run.hpp"
#include "run_flags.hpp"

namespace disc::app {
namespace {

constexpr const char* unfinished_name = ".unfinished";  // in the output folder, as long as the run is not done

RunOptions options_of(const std::string& preset, const std::map<std::string, std::string>& given) {
  std::map<std::string, std::string> settings;
  for (const OptionField& field : option_table()) {
    if (const auto found = given.find(field.name); found != given.end()) settings.insert(*found);
  }
  return make_options(preset, settings);
}

std::vector<Dataset> read_data(const distributed::Inputs& inputs, const RunOptions& options, const Context& context) {
  context.progress("read", 0.0);
  std::vector<Dataset> conditions = read_conditions(inputs.manifest, inputs.reading, context);
  if (!options.design.by.empty()) {
    conditions = split_conditions(conditions.front(), options.design, inputs.wanted, context);
  }
  context.progress("read", 1.0);
  return conditions;
}

// The work on this machine.
Analysis run_here(const distributed::Inputs& inputs, const RunOptions& options, const Context& context) {
  const auto start = std::chrono::steady_clock::now();
  std::vector<Dataset> conditions = read_data(inputs, options, context);
  const std::chrono::duration<double> reading_time = std::chrono::steady_clock::now() - start;
  Analysis analysis = run(std::move(conditions), options, context);
  analysis.timings.insert(analysis.timings.begin(), {"read", reading_time.count()});
  return analysis;
}

// Reads and runs. Files are not touched here, so an interrupted run that does not stop soon may be cut off.
Analysis analyze(const distributed::Inputs& inputs, const RunOptions& options, const distributed::Job* job,
                 Session& session, std::optional<OutputFolder>& folder, const std::function<std::string()>& hint) {
  const Interrupt::CutOff cut_off(session.interrupt(), [&]() -> std::string {
    folder.reset();
    if (job != nullptr && job->rank() > 0) return "";
    // Within a job the reason may be that another process failed, which has said so.
    return "\n" + hint() + (job != nullptr ? "" : "disc: interrupted\n");
  });
  Analysis analysis = job != nullptr ? distributed::run(*job, inputs, options, session.context())
                                     : run_here(inputs, options, session.context());
  for (const std::string& warning : session.console().warnings()) {
    auto& known = analysis.warnings;
    if (std::find(known.begin(), known.end(), warning) == known.end()) known.push_back(warning);
  }
  return analysis;
}

// A run that was cut off, again: what it kept is found in its folder. The folder may come from anywhere, and what it says to do is
// done only if it is a run that writes into that folder.
ExitCode resume(const std::filesystem::path& folder, const Invocation& invocation) {
  finish_outputs(folder);
  const std::optional<std::string> note = CheckpointFolder::note(folder / unfinished_name);
  if (!note) {
    throw InputError("there is nothing to resume in " + (folder / "").string() +
                     ": the run is finished, or was stopped before its first long stage was; start it again");
  }
  std::vector<std::string> words = split_at(*note, '\0');
  if (words.size() < 2 || words[1] != "run") {
    throw InputError({.file = (folder / unfinished_name).string()}, "does not hold a run that was cut off");
  }
  std::error_code error;
  const std::filesystem::path place = std::filesystem::canonical(folder, error);
  std::filesystem::current_path(words.front(), error);
  if (error) throw InputError("cannot resume in " + words.front() + ": " + error.message());
  words.erase(words.begin());
  return invocation.again(words, place);
}

void check_resumed(const RunFlags& flags, const std::filesystem::path& folder) {
  std::error_code error;
  if (flags.resume.empty() && std::filesystem::equivalent(flags.output, folder, error) && !error) return;
  throw InputError({.file = (folder / unfinished_name).string()},
                   "holds a run that writes elsewhere, into " +
                       (flags.resume.empty() ? flags.output : flags.resume).string() + "; it is not gone on with");
}

// Everything that the run reads.
std::vector<std::filesystem::path> inputs_of(const RunFlags& flags, const Manifest& manifest,
                                             const RunOptions& options) {
  std::vector<std::filesystem::path> inputs{flags.manifest, options.design.metadata, options.genesets,
                                            options.prepare.only_features};
  for (const ManifestRow& row : manifest.rows) inputs.push_back(row.file);
  for (const auto& [name, value] : flags.read.given) inputs.emplace_back(value);  // some are files: an atlas, classes
  std::erase_if(inputs, [](const std::filesystem::path& input) { return input.empty(); });
  return inputs;
}

ExitCode show_plan(const distributed::Inputs& inputs, const RunOptions& options, const RunFlags& flags) {
  Session session(flags.session);
  const Plan plan = plan_run(read_data(inputs, options, session.context()), options, session.context());
  session.console().erase_line();
  print_plan(plan, flags.output, session.console().warnings());
  return ok;
}

std::string command_line(const std::vector<std::string>& words) {
  std::string line = "disc " + std::string(version()) + ":";
  for (const std::string& word : words) line += " " + word;
  return line;
}

// Folder and words: enough to do the same again.
std::string note_of(const Invocation& invocation) {
  std::string note = std::filesystem::current_path().string();
  for (const std::string& word : invocation.words) note += '\0' + word;
  return note;
}

std::shared_ptr<CheckpointFolder> checkpoints_in(const RunFlags& flags, const Invocation& invocation) {
  const std::string note = note_of(invocation);
  return std::make_shared<CheckpointFolder>(std::filesystem::absolute(flags.output) / unfinished_name, note,
                                            flags.checkpoint_after);
}

void add_digests(const Manifest& manifest, RunRecord& record) {
  if (!record.inputs.empty()) return;
  for (const ManifestRow& row : manifest.rows) record.inputs.emplace_back(row.file.string(), file_digest(row.file));
}

// The processes of a job beside the first work quietly, and one thread each is enough unless more are asked for.
SessionFlags within_job(SessionFlags flags, const distributed::Job& job) {
  flags.quiet = flags.quiet || job.rank() > 0;
  if (flags.threads == 0) flags.threads = 1;
  return flags;
}

// What was kept is worth a word to whoever stopped the run.
std::string how_to_go_on(const CheckpointFolder& checkpoints, const RunFlags& flags) {
  if (!checkpoints.is_there()) return "";
  return "disc: what was finished is kept; disc run --resume " + flags.output.string() + " goes on from there\n";
}

void write_results(const Analysis& analysis, const RunRecord& record, const RunFlags& flags, OutputFolder& folder,
                   Session& session) {
  write_files(analysis, record, folder);
  folder.write(multiqc_name, multiqc_json(folder));
  if (has_report_page()) folder.write(report_name, report_html(folder));
  folder.commit(output_names());
  Log::write("results: " + flags.output.string());
  session.console().erase_line();
  if (!flags.session.quiet) print_result(analysis, flags.output);
}

ExitCode execute(const RunFlags& flags, const CLI::App& app, const Invocation& invocation) {
  if (invocation.resumed) check_resumed(flags, *invocation.resumed);
  if (!flags.resume.empty()) return resume(flags.resume, invocation);
  if (!flags.settings.empty()) return run_again(flags, app, invocation);
  if (flags.output.empty()) throw OptionError("output", "''", "must name a folder");
  RunRecord record;
  record.given = flags_given(app);
  record.seed = flags.session.seed;
  record.date = now();
  const RunOptions options = options_of(flags.preset, record.given);
  const std::vector<std::string> wanted = split_at(flags.names, ',');
  distributed::Inputs inputs{files_of(flags, options.design.by), read_options(flags.read), wanted};
  add_label_columns(options.design, inputs.reading);
  if (flags.dry_run) return show_plan(inputs, options, flags);
  std::optional<distributed::Job> job;
  if (options.engine.kind == EngineKind::mpi) job.emplace(options.engine.petsc_options);
  const bool is_first = !job || job->rank() == 0;

  const std::shared_ptr<CheckpointFolder> checkpoints = checkpoints_in(flags, invocation);
  inputs.checkpoints = checkpoints;
  inputs.identity = [&] {
    add_digests(inputs.manifest, record);
    std::string identity = note_of(invocation);
    for (const auto& [file, digest] : record.inputs) identity += '\0' + digest;
    return identity;
  };
  const double memory_limit = options.memory_limit.value_or(0);
  Session session = job ? Session(within_job(flags.session, *job), nullptr, memory_limit)
                        : Session(flags.session, checkpoints, memory_limit);
  record.threads = session.context().threads();
  Log::write(command_line(invocation.words));
  std::optional<OutputFolder> folder;
  if (is_first) {
    folder.emplace(flags.output);  // now: what cannot be written is known before the work
    check_output_folder(flags.output, inputs_of(flags, inputs.manifest, options));
  }
  const auto hint = [&] { return how_to_go_on(*checkpoints, flags); };
  const Analysis analysis = [&] {
    try {
      return analyze(inputs, options, job ? &*job : nullptr, session, folder, hint);
    } catch (const Cancelled&) {
      session.console().erase_line();
      if (is_first) std::cerr << hint() << std::flush;
      throw;
    }
  }();
  session.context().check_stop();
  if (is_first) {
    add_digests(inputs.manifest, record);
    write_results(analysis, record, flags, *folder, session);
    checkpoints->remove();
  }
  if (analysis.converged || !flags.strict) return ok;
  if (!is_first) return not_converged;
  std::cerr << "disc: a solver did not converge, see the warnings; the results are there, the exit code is 4 because "
               "of --strict"
            << std::endl;
  return not_converged;
}

std::string placeholder(const OptionField& field) {
  if (field.choices.empty()) return field.type == "integer" ? "N" : "X";
  std::string text;
  for (const std::string& choice : field.choices) text += (text.empty() ? "" : "|") + choice;
  return text;
}

void add_table_options(CLI::App& app) {
  for (const OptionField& field : option_table()) {
    // The library checks and sets the value; here it is only collected.
    app.add_option_function<std::string>(
           "--" + field.name, [](const std::string&) {}, field.help)
        ->option_text(placeholder(field))
        ->group(field.section);
  }
}

}  // namespace

Command add_run(CLI::App& program, const Invocation& invocation) {
  auto flags = std::make_shared<RunFlags>();
  CLI::App* app = program.add_subcommand("run", "find the groups of features that set each condition apart");
  app->add_option("FILES", flags->files,
                  "one file per condition, two or more, or one file and --by; names of features are matched")
      ->expected(1, CLI::detail::expected_max_vector_size)
      ->option_text(" ");
  app->add_option("--condition", flags->conditions,
                  "a condition made of several files, once per condition; * and ? stand for parts of names. A file is "
                  "then a unit: its samples stay together")
      ->option_text("NAME=FILE,FILE,...")
      ->allow_extra_args(false);
  app->parse_complete_callback([flags] {
    if (flags->files.empty() && flags->conditions.empty() && flags->manifest.empty() && flags->resume.empty() &&
        flags->settings.empty()) {
      throw CLI::RequiredError("FILES (or --condition, or --manifest)");
    }
  });
  app->add_option("--manifest", flags->manifest,
                  "table of files, with columns file and condition, perhaps unit, and any others")
      ->option_text("FILE");
  app->add_option("-o,--output", flags->output, "folder for the results, made if needed (default: disc-out)")
      ->option_text("FOLDER");
  app->add_option("--resume", flags->resume,
                  "go on with a run that was cut off, from its last finished stage; takes no other option")
      ->option_text("FOLDER");
  app->add_option("--checkpoint-after", flags->checkpoint_after,
                  "seconds a stage must take to be kept for --resume until the run is finished (default: 1)")
      ->check(CLI::NonNegativeNumber)
      ->option_text("X");
  std::string preset_help = "settings to start from:";
  std::string preset_names;
  for (const Preset& preset : presets()) {
    preset_help += (preset_names.empty() ? " " : "; ") + preset.name + ", " + preset.description;
    preset_names += (preset_names.empty() ? "" : "|") + preset.name;
  }
  app->add_option("--preset", flags->preset, preset_help)->option_text(preset_names);
  app->add_option("--names", flags->names,
                  "names of the conditions (default: the names of the files); with --by, which of its values to use, "
                  "in this order")
      ->option_text("A,B,...");
  app->add_option(
         "--settings", flags->settings,
         "summary.json of an earlier run that is done again, with its files and options; options given here win")
      ->option_text("FILE");
  app->add_flag("--dry-run", flags->dry_run,
                "read and prepare the data, say what would be computed and how much memory that takes, and stop");
  app->add_option("--title", flags->title, "what the report is called (default: the names of the conditions)")
      ->option_text("TEXT");
  app->add_flag("--strict", flags->strict, "exit with code 4 when a solver does not converge");
  add_session_flags(*app, flags->session);
  add_read_flags(*app, flags->read);
  add_table_options(*app);
  if (wants_all_help(invocation.words)) {
    lengthen_help(*app);
  } else if (wants_help(invocation.words)) {
    shorten_help(*app);
  }
  return {app, [flags, app, invocation] { return execute(*flags, *app, invocation); }};
}

}  // namespace disc::app
