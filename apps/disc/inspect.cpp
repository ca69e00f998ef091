// disc inspect FILE
#include <cmath>
#include <filesystem>
#include <iostream>
#include <memory>
#include <nlohmann/json.hpp>

#include "commands.hpp"
#include "disc/io.hpp"
#include "session.hpp"

namespace disc::app {
namespace {

using Json = nlohmann::ordered_json;

struct InspectFlags {
  std::filesystem::path file;
  bool json = false;
  ReadFlags read;
  SessionFlags session;
};

Json labels_json(const std::vector<LabelSummary>& labels) {
  Json list = Json::array();
  for (const LabelSummary& label : labels) {
    Json values = Json::array();
    for (const auto& [value, count] : label.first_values) values.push_back({{"value", value}, {"samples", count}});
    list.push_back(
        {{"name", label.name}, {"distinct", label.distinct}, {"missing", label.missing}, {"first_values", values}});
  }
  return list;
}

void print_json(const std::string& file, const Inspection& found) {
  const Json json = {{"file", file},
                     {"format", found.format},
                     {"samples", found.samples},
                     {"features", found.features},
                     {"sparse", found.sparse},
                     {"stored", found.stored},
                     {"zeros", found.zeros},
                     {"non_finite", found.non_finite},
                     {"constant_features", found.constant_features},
                     {"smallest", found.smallest},
                     {"largest", found.largest},
                     {"features_named", found.features_named},
                     {"first_features", found.first_features},
                     {"first_samples", found.first_samples},
                     {"shape", found.shape},
                     {"labels", labels_json(found.labels)},
                     {"notes", found.notes}};
  std::cout << json.dump(2, ' ', false, Json::error_handler_t::replace) << "\n";
}

std::string some(const std::vector<std::string>& names, Index total) {
  std::string text;
  for (const std::string& name : names) text += (text.empty() ? "" : ", ") + name;
  return text + (static_cast<Index>(names.size()) < total ? ", ..." : "");
}

void print_label(const LabelSummary& label) {
  std::cout << "label:              " << label.name << "  (";
  const char* separator = "";
  for (const auto& [value, count] : label.first_values) {
    std::cout << separator << value << " " << count;
    separator = ", ";
  }
  if (static_cast<Index>(label.first_values.size()) < label.distinct) {
    std::cout << ", ... " << label.distinct << " values";
  }
  if (label.missing > 0) std::cout << separator << label.missing << " without";
  std::cout << ")\n";
}

void print_text(const std::string& file, const Inspection& found) {
  const CleanOutput clean;
  const Index cells = found.samples * found.features;
  const double zero_percent = cells > 0 ? 100.0 * static_cast<double>(found.zeros) / static_cast<double>(cells) : 0;
  std::cout << "file:               " << file << "\n"
            << "format:             " << found.format << (found.sparse ? ", sparse" : ", dense") << "\n"
            << "samples:            " << found.samples << "  (" << some(found.first_samples, found.samples) << ")\n"
            << "features:           " << found.features << "  (" << some(found.first_features, found.features)
            << (found.features_named ? "" : "; the file has no names") << ")\n"
            << "range:              " << format_number(found.smallest) << " to " << format_number(found.largest) << "\n"
            << "zeros:              " << found.zeros << " (" << format_number(std::round(zero_percent * 10) / 10)
            << " %)\n"
            << "not finite:         " << found.non_finite << "\n"
            << "constant features:  " << found.constant_features << "\n";
  if (found.shape.size() == 2) {
    std::cout << "picture:            " << found.shape[0] << " rows x " << found.shape[1] << " columns\n";
  }
  for (const LabelSummary& label : found.labels) print_label(label);
  for (const std::string& note : found.notes) std::cout << "note: " << note << "\n";
}

ExitCode execute(const InspectFlags& flags) {
  Session session(flags.session);
  const Inspection found = inspect(flags.file, read_options(flags.read), session.context());
  session.console().erase_line();
  flags.json ? print_json(flags.file.string(), found) : print_text(flags.file.string(), found);
  return ok;
}

}  // namespace

Command add_inspect(CLI::App& program) {
  auto flags = std::make_shared<InspectFlags>();
  flags->session.quiet = true;  // the answer is the output
  CLI::App* app = program.add_subcommand("inspect", "show what is in a file: shape, names, range, missing values");
  app->add_option("FILE", flags->file, "file to look at")->required()->option_text(" ");
  app->add_flag("--json", flags->json, "print JSON");
  add_read_flags(*app, flags->read);
  return {app, [flags] { return execute(*flags); }};
}

}  // namespace disc::app
