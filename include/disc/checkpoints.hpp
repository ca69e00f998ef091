// Checkpoints of a long run as files.
#pragma once

#include <filesystem>
#include <optional>
#include <string>
#include <string_view>
#include <utility>

#include "disc/base.hpp"

namespace disc {

/// Checkpoints in a folder, which is made when the first is kept. A file that is not whole counts as none.
class CheckpointFolder final : public Checkpoints {
 public:
  /// `note` is written beside them: what the run was.
  CheckpointFolder(std::filesystem::path folder, std::string note, double checkpoint_after)
      : folder_(std::move(folder)), note_(std::move(note)), checkpoint_after_(checkpoint_after) {}
  std::optional<std::string> find(const std::string& name) const override;
  bool is_empty() const override;
  double checkpoint_after() const override { return checkpoint_after_; }
  void keep(const std::string& name, std::string_view bytes) noexcept override;
  /// The run is finished.
  void remove() noexcept;
  bool is_there() const { return note(folder_).has_value(); }
  /// The note of a run that was cut off, if there is one and it is whole.
  static std::optional<std::string> note(const std::filesystem::path& folder);

 private:
  static constexpr const char* note_name = "run";
  bool may_be_used() const;
  std::filesystem::path folder_;
  std::string note_;
  double checkpoint_after_;
  bool is_noted_ = false;
};

}  // namespace disc
