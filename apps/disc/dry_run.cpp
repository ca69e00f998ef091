#include "dry_run.hpp"

#include <cmath>
#include <iomanip>
#include <iostream>
#include <set>
#include <sstream>

#include "disc/options.hpp"

namespace disc::app {
namespace {

std::string size_text(double bytes) {
  std::ostringstream text;
  const bool is_large = bytes >= 1e9;
  text << std::setprecision(2) << bytes / (is_large ? 1e9 : 1e6) << (is_large ? " GB" : " MB");
  return text.str();
}

}  // namespace

void print_plan(const Plan& plan, const std::filesystem::path& output, const std::vector<std::string>& warnings) {
  for (const auto& [name, samples] : plan.conditions)
    std::cout << "condition: " << name << ", " << samples << " samples\n";
  std::cout << "features: " << plan.features << " used, " << plan.excluded << " excluded\n";
  for (const PreparationStep& step : plan.preparation) {
    std::cout << "prepared: " << step.step << ": " << step.count << " " << step.changed
              << (step.condition.empty() ? "" : " in " + step.condition) << "\n";
  }
  std::cout << "memory: about " << size_text(plan.memory)
            << "\nsettings that differ from their defaults or were chosen:\n";
  const RunOptions defaults;
  for (const OptionField& field : option_table()) {
    const std::string used = field.text(plan.used);
    if (used != field.text(defaults)) std::cout << "  --" << field.name << " " << used << "\n";
  }
  std::set<std::string> said;
  for (const auto& list : {plan.warnings, warnings}) {
    for (const std::string& warning : list) {
      if (said.insert(warning).second) std::cout << "warning: " << warning << "\n";
    }
  }
  std::cout << "nothing was computed or written; without --dry-run results go to " << (output / "").string() << "\n";
}

}  // namespace disc::app
