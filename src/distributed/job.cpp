// Beginning and end of a job of processes.
#include "distributed/job.hpp"

#include <chrono>
#include <exception>
#include <sstream>
#include <thread>

#include "matrix/blas.hpp"

namespace disc::distributed {
namespace {

constexpr std::chrono::seconds patience(3);  // for other processes that fail, too
constexpr std::chrono::milliseconds between_looks(20);

// The words of an option text, with a name of a program in front, as PETSc wants them.
std::vector<std::string> words_of(const std::string& options) {
  std::vector<std::string> words{"disc"};
  std::istringstream stream(options);
  for (std::string word; stream >> word;) words.push_back(word);
  // Signals are the program's business.
  words.emplace_back("-no_signal_handler");
  return words;
}

}  // namespace

Job::State::State(const std::string& options) : exceptions_at_start_(std::uncaught_exceptions()) {
  std::vector<std::string> words = words_of(options);
  if (words.size() > 2 && words[1].front() != '-') {
    throw OptionError("petsc-options", options,
                      "must be options of PETSc or SLEPc, which begin with a dash: -eps_ncv 200");
  }
  std::vector<char*> pointers;
  pointers.reserve(words.size() + 1);
  for (std::string& word : words) pointers.push_back(word.data());
  auto count = static_cast<int>(pointers.size());
  pointers.push_back(nullptr);
  char** arguments = pointers.data();
  int is_started = 0;
  MPI_Initialized(&is_started);
  if (is_started == 0) {
    int provided = 0;
    MPI_Init_thread(nullptr, nullptr, MPI_THREAD_FUNNELED, &provided);
  }
  check(SlepcInitialize(&count, &arguments, nullptr, nullptr));
  check(PetscPushErrorHandler(PetscReturnErrorHandler, nullptr));
  // A communicator of its own: what is said when processes fail cannot get mixed up with what they were doing.
  MPI_Comm own = MPI_COMM_NULL;
  MPI_Comm_dup(MPI_COMM_WORLD, &own);
  team_ = std::make_shared<const MpiTeam>(own);
}

Job::State::~State() {
  // Ending is done together. A process that failed does not know where the others are: agree_on_error does.
  if (std::uncaught_exceptions() > exceptions_at_start_) return;
  SlepcFinalize();
  MPI_Finalize();
}

bool is_compiled() { return true; }

// PETSc calls BLAS by itself, in whatever stage a resumed run begins with: it has to have the same kernels from the start.
Job::Job(const std::string& options) : state_(std::make_shared<const State>(options)) { prepare_blas(); }
Job::~Job() = default;
int Job::rank() const { return state_->team()->rank(); }
int Job::size() const { return state_->team()->size(); }
std::shared_ptr<const Team> Job::team() const { return state_->team(); }

Ending agree_on_error() {
  int is_started = 0;
  int is_over = 0;
  MPI_Initialized(&is_started);
  MPI_Finalized(&is_over);
  if (is_started == 0 || is_over != 0) return Ending::alone;
  int rank = 0;
  MPI_Comm_rank(MPI_COMM_WORLD, &rank);
  MPI_Request request = MPI_REQUEST_NULL;
  MPI_Ibarrier(MPI_COMM_WORLD, &request);
  const auto give_up = std::chrono::steady_clock::now() + patience;
  int all_are_here = 0;
  while (std::chrono::steady_clock::now() < give_up) {
    MPI_Test(&request, &all_are_here, MPI_STATUS_IGNORE);
    if (all_are_here != 0) break;
    std::this_thread::sleep_for(between_looks);
  }
  if (all_are_here == 0) return Ending::stranded;
  MPI_Finalize();
  return rank == 0 ? Ending::speaker : Ending::silent;
}

void end_all(int code) { MPI_Abort(MPI_COMM_WORLD, code); }

}  // namespace disc::distributed
