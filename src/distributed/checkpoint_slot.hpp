// Results of long stages, kept by the first process for all: a job may go on with another number of processes.
#pragma once

#include <chrono>

#include "distributed/nearest.hpp"
#include "matrix/checkpoint.hpp"
#include "spectral/eigenpair_facts.hpp"

namespace disc::distributed {

/// All processes call its functions together, but for `keep`, which only the first one heeds.
class TeamCheckpoints final : public Checkpoints {
 public:
  /// `kept` and `identity`, which tells this run from others, are those of the first process.
  TeamCheckpoints(std::shared_ptr<Checkpoints> kept, const std::string& identity, const MpiTeam& team);
  std::optional<std::string> find(const std::string& name) const override;
  double checkpoint_after() const override { return kept_->checkpoint_after(); }
  void keep(const std::string& name, std::string_view bytes) noexcept override;

  /// A result in two parts: facts, the same in every process, and as many bytes of rows for every feature.
  struct Parts {
    std::string facts, own_rows;
  };
  std::optional<Parts> find(const std::string& name, const Partition& partition) const;
  /// If it took the first process long enough.
  void keep(const std::string& name, double seconds, const Parts& parts);

 private:
  std::string full_name(const std::string& name) const { return name + "-" + identity_; }

  std::shared_ptr<Checkpoints> kept_;
  std::string identity_;
  const MpiTeam& team_;
};

std::string rows_of(const Eigenpairs& pairs);
void set_rows(Eigenpairs& pairs, std::string_view rows, Index features);

template <class F>
void visit_facts(OwnNearest& nearest, F& part) {
  part(nearest.count);
  part(nearest.exact);
  part(nearest.recall);
}
std::string rows_of(const OwnNearest& nearest);
void set_rows(OwnNearest& nearest, std::string_view rows, Index features);

/// The place of one result.
struct Kept {
  TeamCheckpoints* checkpoints = nullptr;  ///< none: nothing is kept
  std::string name{};

  template <class Make>
  auto load_or_compute(const Partition& partition, const Make& make) const -> decltype(make()) {
    using Result = decltype(make());
    if (checkpoints == nullptr) return make();
    if (const auto parts = checkpoints->find(name, partition)) {
      Result result{};
      Unpacker unpack(parts->facts);
      visit_facts(result, unpack);
      set_rows(result, parts->own_rows, partition.count);
      return result;
    }
    const auto start = std::chrono::steady_clock::now();
    Result result = make();
    const std::chrono::duration<double> passed = std::chrono::steady_clock::now() - start;
    Packer pack;
    visit_facts(result, pack);
    checkpoints->keep(name, passed.count(), {pack.bytes(), rows_of(result)});
    return result;
  }
};

}  // namespace disc::distributed
