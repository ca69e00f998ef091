// Checkpoints: what is whole is found again, what is not is not.
#include <gtest/gtest.h>

#include <cstring>
#include <fstream>

#include "disc/checkpoints.hpp"
#include "matrix/checkpoint.hpp"

namespace disc {
namespace {

namespace fs = std::filesystem;

class CheckpointFolderTest : public testing::Test {
 protected:
  CheckpointFolderTest() { fs::remove_all(folder_); }
  ~CheckpointFolderTest() override { fs::remove_all(folder_); }
  fs::path folder_ = fs::temp_directory_path() / ("disc-checkpoints-" + std::to_string(::getpid()));
};

TEST_F(CheckpointFolderTest, KeepsFindsAndRemoves) {
  CheckpointFolder kept(folder_, "what it was", 0.0);
  EXPECT_FALSE(kept.find("stage"));
  EXPECT_FALSE(kept.is_there());
  EXPECT_TRUE(kept.is_empty());
  EXPECT_FALSE(CheckpointFolder::note(folder_));
  kept.keep("stage", "some bytes");
  EXPECT_FALSE(kept.is_empty());
  EXPECT_EQ(kept.find("stage"), "some bytes");
  EXPECT_EQ(CheckpointFolder(folder_, "", 0.0).find("stage"), "some bytes");
  EXPECT_EQ(CheckpointFolder::note(folder_), "what it was");
  kept.remove();
  EXPECT_FALSE(fs::exists(folder_));
}

TEST_F(CheckpointFolderTest, DamagedFilesCountAsNone) {
  CheckpointFolder kept(folder_, "", 0.0);
  kept.keep("stage", "some bytes");
  fs::resize_file(folder_ / "stage", fs::file_size(folder_ / "stage") - 1);
  EXPECT_FALSE(kept.find("stage"));
  kept.keep("stage", "some bytes");
  std::fstream(folder_ / "stage", std::ios::in | std::ios::out | std::ios::binary).seekp(-1, std::ios::end).put('?');
  EXPECT_FALSE(kept.find("stage"));
  std::ofstream(folder_ / "stage") << "short";
  EXPECT_FALSE(kept.find("stage"));
}

TEST_F(CheckpointFolderTest, ADamagedNoteIsNone) {
  CheckpointFolder kept(folder_, "what it was", 0.0);
  kept.keep("stage", "some bytes");
  const auto size = fs::file_size(folder_ / "run");
  for (std::uintmax_t left = 0; left < size; ++left) {
    fs::resize_file(folder_ / "run", left);
    EXPECT_FALSE(CheckpointFolder::note(folder_)) << left;
  }
  fs::remove(folder_ / "run");
  fs::create_directory(folder_ / "run");
  EXPECT_FALSE(CheckpointFolder::note(folder_));
}

TEST_F(CheckpointFolderTest, AFolderOfSomebodyElseIsLeftAlone) {
  fs::create_directory(folder_);
  std::ofstream(folder_ / "mine") << "mine";
  CheckpointFolder kept(folder_, "note", 0.0);
  kept.keep("stage", "some bytes");
  EXPECT_FALSE(kept.find("stage"));
  kept.remove();
  EXPECT_TRUE(fs::exists(folder_ / "mine"));
}

TEST_F(CheckpointFolderTest, ALinkIsNotFollowed) {
  const fs::path victim = folder_.string() + "-victim";
  fs::create_directory(victim);
  fs::create_directory_symlink(victim, folder_);
  CheckpointFolder kept(folder_, "note", 0.0);
  kept.keep("stage", "some bytes");
  kept.remove();
  EXPECT_TRUE(fs::is_empty(victim));
  fs::remove_all(victim);
}

TEST_F(CheckpointFolderTest, APlaceThatCannotBeWrittenIsNoError) {
  std::ofstream(folder_) << "a file is in the way";
  CheckpointFolder kept(folder_, "", 0.0);
  kept.keep("stage", "some bytes");
  EXPECT_FALSE(kept.find("stage"));
}

struct Result {
  RowMatrix rows;
  Matrix matrix;
  std::vector<std::int32_t> list;
  double number = 0;
};
template <class F>
void visit_facts(Result& result, F& part) {
  part(result.matrix);
  part(result.list);
  part(result.number);
}
std::string rows_of(const Result& result) {
  return {reinterpret_cast<const char*>(result.rows.data()),
          static_cast<std::size_t>(result.rows.size()) * sizeof(double)};
}
void set_rows(Result& result, std::string_view bytes, Index features) {
  result.rows.resize(features, 3);
  ASSERT_EQ(bytes.size(), static_cast<std::size_t>(result.rows.size()) * sizeof(double));
  std::memcpy(result.rows.data(), bytes.data(), bytes.size());
}

TEST_F(CheckpointFolderTest, MadeOnceThenKept) {
  const auto checkpoints = std::make_shared<CheckpointFolder>(folder_, "", 0.0);
  Context::Settings settings;
  settings.checkpoints = checkpoints;
  const Context context(settings);
  int made = 0;
  const auto result_of = [&](double input) {
    return load_or_compute(
        context, context.team().even_partition(4), [&] { return Fingerprint("test").add(input).name(); },
        [&] {
          ++made;
          return Result{RowMatrix::Constant(4, 3, -input), Matrix::Constant(2, 3, input), {1, 2, 3}, input};
        });
  };
  EXPECT_EQ(result_of(1.0).number, 1.0);
  const Result again = result_of(1.0);
  EXPECT_EQ(made, 1);
  EXPECT_EQ(again.rows, RowMatrix::Constant(4, 3, -1.0));
  EXPECT_EQ(again.matrix, Matrix::Constant(2, 3, 1.0));
  EXPECT_EQ(again.list, (std::vector<std::int32_t>{1, 2, 3}));
  EXPECT_EQ(result_of(2.0).number, 2.0);
  EXPECT_EQ(made, 2);
}

TEST(Unpacker, RefusesWhatIsCutOff) {
  Packer pack;
  pack(std::vector<double>{1, 2, 3});
  Unpacker unpack(std::string_view(pack.bytes()).substr(0, 20));
  std::vector<double> list;
  EXPECT_THROW(unpack(list), Error);
}

}  // namespace
}  // namespace disc
