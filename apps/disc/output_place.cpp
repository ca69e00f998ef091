#include "output_place.hpp"

#include <algorithm>
#include <string>

#include "disc/pipeline.hpp"

namespace disc::app {

void check_output_place(const std::filesystem::path& folder) {
  namespace fs = std::filesystem;
  std::error_code ignored;
  if (!fs::is_directory(folder, ignored) || fs::exists(folder / "summary.json", ignored)) return;
  std::string others;
  std::size_t count = 0;
  for (const fs::directory_entry& entry : fs::directory_iterator(folder, ignored)) {
    const std::string name = entry.path().filename().string();
    // Hidden files are none of the user's work: those of a run that was cut off, or of the system.
    const bool is_of_runs = std::ranges::find(output_names(), name) != output_names().end();
    if (is_of_runs || name.starts_with('.')) continue;
    if (++count <= 3) others += (others.empty() ? "" : ", ") + name;
  }
  if (count == 0) return;
  throw InputError("the folder " + (folder / "").string() + " holds other things (" + others +
                   (count > 3 ? ", ..." : "") +
                   "); give a folder of its own with -o, or --force to write there all the same");
}

}  // namespace disc::app
