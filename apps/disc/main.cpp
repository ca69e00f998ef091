// disc: flags -> options -> library -> files. The errors of everything below end here, as exit codes.
#include <sys/resource.h>
#include <unistd.h>

#include <algorithm>
#include <atomic>
#include <chrono>
#include <csignal>
#include <cstdlib>
#include <exception>
#include <filesystem>
#include <iostream>
#include <new>
#include <string>
#include <thread>
#include <vector>

#include "commands.hpp"
#include "console.hpp"
#include "disc/base.hpp"
#include "disc/distributed.hpp"
#include "disc/io.hpp"
#include "disc/plan.hpp"
#include "disc/spelling.hpp"
#include "help.hpp"

// What OpenBLAS itself calls at every fork(). Its serial build has no such function.
extern "C" __attribute__((weak)) int blas_thread_shutdown_();

namespace {

using namespace disc::app;

constexpr const char* examples = R"(Examples:
  disc run control.csv treated.csv -o out/          one file per condition
  disc run data.h5ad --by condition -o out/         one file, conditions in a label
  disc run ctrl/ stim/ --normalize log-cpm -o out/  folders of 10x data, raw counts
  disc run a.npy b.npy c.npy --preset paper-code --bandwidth-neighbors 30 --eigenvectors 20
  disc simulate newly-connected -o toy/             data whose answer is known
  disc run toy/A.npy toy/B.npy -o toy/out/
  disc score toy/out/ --truth toy/truth.tsv         how much of it was found
  disc inspect control.csv                          what is in a file
  disc convert data.h5ad -o data.npz                any file that can be read, for numpy
  disc report out/                                  make out/report.html again
  disc explore out/                                 the same page, which can ask the engine
  disc compare out1/ out2/                          which groups of two runs are the same
  disc test data.h5ad --by condition --sets h.gmt   given sets of features, without a search
  disc replicate out/ control2.csv treated2.csv     do the groups of a run hold in a second study?
  disc project out/ new.h5ad -o scores/             how strongly do new samples show them?

`disc help COMMAND` explains the options of a command that matter most, `disc COMMAND --help-all` all of them.
Exit codes: 0 done, 1 internal error, 2 wrong usage, 3 wrong input or too little memory, 4 not converged (with --strict), 130 interrupted.)";

// Of the processes of a job that fail for the same reason one says so.
ExitCode report_error(const std::string& sentence, ExitCode code) {
  Log::write("error: " + sentence);
  const disc::distributed::Ending ending = disc::distributed::agree_on_error();
  // In one piece: mpirun puts words of its own between pieces.
  if (ending != disc::distributed::Ending::silent) std::cerr << "disc: " + clean_lines(sentence) + "\n" << std::flush;
  // mpirun ends the others as soon as one process has failed: the one that speaks goes first.
  if (ending == disc::distributed::Ending::silent) std::this_thread::sleep_for(std::chrono::milliseconds(500));
  if (ending == disc::distributed::Ending::stranded) disc::distributed::end_all(code);
  return code;
}

std::string version_text() {
  return "disc " + std::string(disc::version()) + "\nengines: local" +
         (disc::distributed::is_compiled() ? ", mpi" : " (mpi was not built in)");
}

void flush_output() {
  if (!std::cout.flush()) throw disc::InputError("cannot write to the standard output");
}

// A mapped file that is cut short while it is read has no bytes where they were: the system sends a signal, and nothing can go on.
extern "C" void on_vanished_bytes(int) {
  constexpr std::string_view sentence = "disc: an input file was cut short or could not be read while it was in use\n";
  [[maybe_unused]] const auto written = write(STDERR_FILENO, sentence.data(), sentence.size());
  _exit(input_error);
}

constexpr std::string_view out_of_memory =
    "out of memory: the matrices of this many features do not fit; try --precision single, or fewer features";

std::atomic<bool> memory_was_refused = false;

void on_refused_memory() {
  memory_was_refused = true;
  throw std::bad_alloc();
}

// Some functions of libraries take memory themselves (destructors of JSON, the next entry of a folder) and may not throw when there is none. What is half
// written then has a hidden name, and the next run removes it.
[[noreturn]] void on_terminate() {
  if (memory_was_refused) {
    for (const std::string_view part : {std::string_view("disc: "), out_of_memory, std::string_view("\n")}) {
      [[maybe_unused]] const auto written = write(STDERR_FILENO, part.data(), part.size());
    }
    _exit(input_error);
  }
  std::abort();
}

// OpenBLAS starts its threads before anything runs here, and where addresses are few they ask for memory for ever. With one thread it
// does not, and that is decided before the program begins: so it begins again.
void begin_again_with_few_addresses(char** words) {
  rlimit limit{};
  if (getrlimit(RLIMIT_AS, &limit) != 0 || limit.rlim_cur == RLIM_INFINITY ||
      std::getenv("OPENBLAS_NUM_THREADS") != nullptr)
    return;
  setenv("OPENBLAS_NUM_THREADS", "1", 1);
  execv("/proc/self/exe", words);
}

// disc help run is disc run --help. All options of a command are in the help if they are asked for.
std::vector<std::string> with_help_flags(std::vector<std::string> words) {
  if (!words.empty() && words.front() == "help") {
    words.erase(words.begin());
    words.emplace_back("--help");
  }
  std::replace(words.begin(), words.end(), std::string("--help-all"), std::string("--help"));
  return words;
}

std::vector<Command> add_commands(CLI::App& program, const Invocation& invocation) {
  const CommandList all = [] {
    CLI::App whole("", "disc");
    add_commands(whole, {{"--help-all"}, nullptr});
    return listed_commands(whole);
  };
  std::vector<Command> commands{add_run(program, invocation),
                                add_test(program, invocation),
                                add_replicate(program, invocation),
                                add_project(program),
                                add_calibrate(program, invocation),
                                add_simulate(program),
                                add_inspect(program),
                                add_convert(program),
                                add_score(program),
                                add_report(program),
                                add_explore(program),
                                add_compare(program),
                                add_completion(program, all),
                                add_man(program, all)};
  for (const Command& command : commands) command.flags->group("Commands");
  commands.push_back(add_options(program, all));
  commands.back().flags->group("");  // shown nowhere
  return commands;
}

// What was wrong with the words, where, and what may have been meant.
std::string usage_sentence(const CLI::ParseError& error, const CLI::App& program, const std::vector<Command>& commands,
                           const std::vector<std::string>& words) {
  std::string place = "disc";
  std::string sentence = error.what();
  std::vector<std::string> known;
  for (const Command& command : commands) {
    known.push_back(command.flags->get_name());
    if (command.flags->parsed()) place += " " + command.flags->get_name();
  }
  if (place == "disc") {
    const std::vector<std::string> unknown_words = program.remaining();
    known.emplace_back("help");
    if (unknown_words.empty()) return sentence + " (see disc --help)";
    return "there is no command or option '" + unknown_words.front() + "'" +
           disc::did_you_mean(unknown_words.front(), known) + " (see disc --help)";
  }
  known.clear();
  for (const Command& command : commands) {
    if (!command.flags->parsed()) continue;
    for (const CLI::Option* option : command.flags->get_options()) {
      for (const std::string& name : option->get_lnames()) known.push_back("--" + name);
    }
  }
  for (const std::string& word : words) {
    const std::string name = word.substr(0, word.find('='));
    if (!name.starts_with("--") || std::ranges::find(known, name) != known.end()) continue;
    return "there is no option " + name + disc::did_you_mean(name, known) + " (see " + place + " --help-all)";
  }
  return sentence + " (see " + place + " --help)";
}

ExitCode run_program(const std::vector<std::string>& given,
                     const std::optional<std::filesystem::path>& resumed = std::nullopt) {
  const std::vector<std::string> words = with_help_flags(given);
  CLI::App program("Which groups of features are connected to each other in one condition and not in the others?\n",
                   "disc");
  program.formatter(std::make_shared<WrappingFormatter>());
  program.set_version_flag("--version", version_text(), "show the version and exit");
  program.set_help_flag("-h,--help", "show this help and exit");
  program.require_subcommand(1);
  const std::vector<Command> commands = add_commands(program, {given, run_program, resumed});
  program.footer(examples);  // now: commands made later would take it for theirs
  try {
    program.parse(std::vector<std::string>(words.rbegin(), words.rend()));  // CLI11 takes them from the back
  } catch (const CLI::ParseError& stop) {
    if (stop.get_exit_code() != 0) return report_error(usage_sentence(stop, program, commands, words), usage_error);
    program.exit(stop);  // --help and --version
    flush_output();
    return ok;
  }
  for (const Command& command : commands) {
    if (!command.flags->parsed()) continue;
    const ExitCode code = command.execute();
    flush_output();
    return code;
  }
  return usage_error;
}

}  // namespace

int main(int count, char** words) {
  begin_again_with_few_addresses(words);
  // The library starts its own threads. Those of OpenBLAS would look for work for some 25 ms and slow them down meanwhile;
  // here, before anything else runs, nobody uses them.
  if (blas_thread_shutdown_ != nullptr) blas_thread_shutdown_();
  std::set_terminate(on_terminate);
  std::set_new_handler(on_refused_memory);
  std::signal(SIGXFSZ, SIG_IGN);  // a file size limit is then an error of the write, and cleaned up like a full disk
  std::signal(SIGBUS, on_vanished_bytes);
  disc::keep_libraries_quiet_at_exit();
  try {
    return run_program({words + 1, words + count});
  } catch (const disc::OptionError& error) {
    return report_error(error.what(), usage_error);
  } catch (const CLI::ValidationError& error) {
    return report_error(error.what(), usage_error);
  } catch (const disc::NotCompiled& error) {
    return report_error(error.what(), usage_error);
  } catch (const disc::InputError& error) {
    return report_error(error.what(), input_error);
  } catch (const disc::Cancelled& error) {
    return report_error(error.what(), interrupted);
  } catch (const disc::OutOfMemory& error) {
    return report_error(error.what(), input_error);
  } catch (const disc::Error& error) {
    return report_error(error.what(), internal_error);
  } catch (const std::filesystem::filesystem_error& error) {
    return report_error(error.what(), input_error);
  } catch (const std::bad_alloc&) {
    return report_error(std::string(out_of_memory), input_error);
  } catch (const std::exception& error) {
    return report_error(std::string("internal error: ") + error.what(), internal_error);
  }
}
