// Results of long stages, kept by the first process for all: a job may go on with another number of processes.
#pragma once

#include "disc/team.hpp"

namespace disc::distributed {

/// With the run in every name: `identity` tells it from others.
class NamedCheckpoints final : public Checkpoints {
 public:
  NamedCheckpoints(std::shared_ptr<Checkpoints> kept, const std::string& identity)
      : kept_(std::move(kept)), suffix_("-" + hexadecimal(digest_of(std::string(version()) + identity))) {}
  std::optional<std::string> find(const std::string& name) const override { return kept_->find(name + suffix_); }
  double checkpoint_after() const override { return kept_->checkpoint_after(); }
  void keep(const std::string& name, std::string_view bytes) noexcept override { kept_->keep(name + suffix_, bytes); }

 private:
  std::shared_ptr<Checkpoints> kept_;
  std::string suffix_;
};

/// Found by all processes together; kept by the first one.
class TeamCheckpoints final : public Checkpoints {
 public:
  TeamCheckpoints(std::shared_ptr<Checkpoints> kept, const Team& team) : kept_(std::move(kept)), team_(team) {}
  std::optional<std::string> find(const std::string& name) const override {
    std::string text;  // "nothing was found" must differ from "what was found is empty"
    if (team_.rank() == 0) {
      if (const auto bytes = kept_->find(name)) text = '+' + *bytes;
    }
    text = team_.from_first(std::move(text));
    return text.empty() ? std::nullopt : std::optional(text.substr(1));
  }
  double checkpoint_after() const override { return kept_->checkpoint_after(); }
  void keep(const std::string& name, std::string_view bytes) noexcept override {
    if (team_.rank() == 0) kept_->keep(name, bytes);
  }

 private:
  std::shared_ptr<Checkpoints> kept_;
  const Team& team_;
};

}  // namespace disc::distributed
