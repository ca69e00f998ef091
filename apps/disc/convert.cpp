// disc convert FILE -o OUT.npz
#include <filesystem>
#include <iostream>
#include <memory>

#include "commands.hpp"
#include "disc/io.hpp"
#include "session.hpp"

namespace disc::app {
namespace {

struct ConvertFlags {
  std::filesystem::path file, output;
  ReadFlags read;
  SessionFlags session;
};

ExitCode execute(const ConvertFlags& flags) {
  if (flags.output.extension() != ".npz") throw OptionError("output", flags.output.string(), "must end in .npz");
  std::error_code error;
  if (std::filesystem::equivalent(flags.file, flags.output, error)) {
    throw OptionError("output", flags.output.string(), "is the file to be read; choose another name");
  }
  Session session(flags.session);
  OutputFolder folder(std::filesystem::absolute(flags.output).parent_path());
  const Dataset dataset = read_dataset(flags.file, read_options(flags.read), session.context());
  session.context().check_stop();
  folder.write(flags.output.filename().string(), encode_dataset(dataset));
  folder.commit();
  std::cout << flags.output.string() << ": " << dataset.values.rows() << " samples x " << dataset.values.cols()
            << " features, " << (dataset.values.is_sparse() ? "sparse" : "dense") << "\n";
  return ok;
}

}  // namespace

Command add_convert(CLI::App& program) {
  auto flags = std::make_shared<ConvertFlags>();
  flags->session.quiet = true;
  CLI::App* app = program.add_subcommand("convert", "write any file that can be read as .npz, with names and labels");
  app->add_option("FILE", flags->file, "file or folder to read")->required()->option_text(" ");
  app->add_option("-o,--output", flags->output, "file to write, ending in .npz")->required()->option_text("FILE");
  add_read_flags(*app, flags->read);
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
