// Files that appear together or not at all; tables.
#include <sys/resource.h>
#include <sys/wait.h>
#include <unistd.h>
#include <csignal>

#include <functional>

#include "io/support.hpp"

namespace disc::test {
namespace {

TEST(OutputFolder, NothingShowsBeforeCommit) {
  const TemporaryFolder folder;
  const auto place = folder.path() / "deep" / "out";
  {
    OutputFolder output(place);
    EXPECT_EQ(output.path(), place);
    output.write("a.txt", "one");
    output.write("b.txt", "two");
    EXPECT_FALSE(std::filesystem::exists(place / "a.txt"));
    output.commit();
    EXPECT_EQ(entries(place), (Names{"a.txt", "b.txt"}));
  }
  EXPECT_EQ(contents(place / "a.txt"), "one");
  EXPECT_EQ(contents(place / "b.txt"), "two");
}

TEST(OutputFolder, WithoutCommitNothingIsLeft) {
  const TemporaryFolder folder;
  {
    OutputFolder output(folder.path() / "deep" / "out");
    output.write("a.txt", "one");
  }
  EXPECT_EQ(entries(folder.path()), Names{});
}

TEST(OutputFolder, OldFilesStayUntilCommit) {
  const TemporaryFolder folder;
  folder.file("a.txt", "old");
  folder.file("other.txt", "not mine");
  {
    OutputFolder output(folder.path());
    output.write("a.txt", "new");
    EXPECT_EQ(contents(folder.path() / "a.txt"), "old");
  }
  EXPECT_EQ(contents(folder.path() / "a.txt"), "old");
  OutputFolder output(folder.path());
  output.write("a.txt", "first try");
  output.write("a.txt", "new");
  output.commit();
  EXPECT_EQ(contents(folder.path() / "a.txt"), "new");
  EXPECT_EQ(entries(folder.path()), (Names{"a.txt", "other.txt"}));
}

TEST(OutputFolder, TrailingSlashAndRelativePaths) {
  const TemporaryFolder folder;
  { OutputFolder output(folder.path().string() + "/x/../y/z/"); }
  EXPECT_EQ(entries(folder.path()), Names{});
  {
    OutputFolder output(folder.path().string() + "/y/z/");
    output.write("a", "1");
    output.commit();
  }
  EXPECT_EQ(contents(folder.path() / "y" / "z" / "a"), "1");
}

TEST(OutputFolder, AFileInTheWay) {
  const TemporaryFolder folder;
  const auto file = folder.file("out", "x");
  EXPECT_TRUE(says(input_error([&] { OutputFolder output(file); }), "it exists and is not a folder"));
  EXPECT_TRUE(
      says(input_error([&] { OutputFolder output(file / "below"); }), "cannot write " + (file / "below").string()));
  EXPECT_EQ(contents(file), "x");
}

TEST(OutputFolder, AFolderInTheWayOfAFile) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "out" / "b");
  {
    OutputFolder output(folder.path() / "out");
    output.write("a", "1");
    output.write("b", "2");
    EXPECT_TRUE(says(input_error([&] { output.commit(); }), "a folder of that name is in the way"));
  }
  EXPECT_EQ(entries(folder.path()), (Names{"b", "out"}));
}

TEST(OutputFolder, VanishedFolder) {
  const TemporaryFolder folder;
  OutputFolder output(folder.path() / "out");
  std::filesystem::remove_all(folder.path() / "out");
  EXPECT_TRUE(says(input_error([&] { output.write("a", "1"); }), "No such file or directory"));
}

// Runs in a process of its own and returns its exit code: limits and identities cannot be taken back.
int in_child(const std::function<bool()>& body) {
  const pid_t child = ::fork();
  if (child == 0) ::_exit(body() ? 0 : 1);
  int status = 0;
  ::waitpid(child, &status, 0);
  return WIFEXITED(status) ? WEXITSTATUS(status) : 99;
}

TEST(OutputFolder, NotWritable) {
  const TemporaryFolder folder;
  std::filesystem::create_directory(folder.path() / "locked");
  std::filesystem::permissions(folder.path() / "locked", std::filesystem::perms(0555));
  std::filesystem::permissions(folder.path(), std::filesystem::perms(0755));
  EXPECT_EQ(in_child([&] {
              if (::geteuid() == 0 && ::seteuid(65534) != 0) return false;  // root may write anywhere
              for (const auto& place : {folder.path() / "locked", folder.path() / "locked" / "out"}) {
                try {
                  OutputFolder output(place);
                  return false;
                } catch (const InputError& error) {
                  if (std::string(error.what()).find("Permission denied") == std::string::npos) return false;
                }
              }
              return true;
            }),
            0);
}

// A limit on the size of files makes the system refuse to write in the middle of a file, as a full disk does.
TEST(OutputFolder, WritingFailsHalfway) {
  const TemporaryFolder folder;
  const auto place = folder.path() / "out";
  EXPECT_EQ(in_child([&] {
              std::signal(SIGXFSZ, SIG_IGN);
              const rlimit limit{1000, 1000};
              ::setrlimit(RLIMIT_FSIZE, &limit);
              try {
                OutputFolder output(place);
                output.write("small.txt", "fits");
                output.write("large.txt", std::string(100'000, 'x'));
                return false;
              } catch (const InputError& error) {
                return std::string(error.what()) ==
                       "cannot write " + (place / "large.txt").string() + ": File too large";
              }
            }),
            0);
  EXPECT_EQ(entries(folder.path()), Names{});
}

// Somebody else who may write in the folder cannot make the run write elsewhere.
TEST(OutputFolder, LinksAreNotFollowed) {
  const TemporaryFolder folder;
  const auto victim = folder.file("victim", "untouched");
  const auto place = folder.path() / "out";
  OutputFolder output(place);
  std::filesystem::create_symlink(victim, output.place("a.txt"));
  output.write("a.txt", "one");
  std::filesystem::create_symlink(victim, place / "a.txt");
  output.commit();
  EXPECT_EQ(contents(victim), "untouched");
  EXPECT_EQ(contents(place / "a.txt"), "one");
  EXPECT_EQ(entries(place), Names{"a.txt"});
}

TEST(OutputFolder, NamesCannotBeGuessed) {
  const TemporaryFolder folder;
  OutputFolder one(folder.path());
  OutputFolder other(folder.path());
  EXPECT_NE(one.place("a.txt"), other.place("a.txt"));
  const auto permissions = std::filesystem::status(one.place("a.txt").parent_path()).permissions();
  EXPECT_EQ(permissions, std::filesystem::perms::owner_all);
}

TEST(OutputFolder, FilesOfEarlierResultsAreRemoved) {
  const TemporaryFolder folder;
  folder.file("a.txt", "old");
  folder.file("b.txt", "old");
  folder.file("mine.txt", "mine");
  OutputFolder output(folder.path());
  output.write("a.txt", "new");
  const Names all{"a.txt", "b.txt", "../mine.txt"};
  output.commit(all);
  EXPECT_EQ(contents(folder.path() / "a.txt"), "new");
  EXPECT_EQ(entries(folder.path()), (Names{"a.txt", "mine.txt"}));
}

// What a process leaves that ends at the worst moment: everything is written, nothing is moved.
TEST(FinishOutputs, WholeResultsArePutInPlace) {
  const TemporaryFolder folder;
  const auto place = folder.path() / "out";
  std::filesystem::create_directories(place / ".disc-output-abcdef.whole");
  folder.file("out/a.txt", "old");
  folder.file("out/gone.txt", "old");
  folder.file("out/.disc-output-abcdef.whole/a.txt", "new");
  folder.file("out/.disc-output-abcdef.whole/b.txt", "new");
  folder.file("out/.disc-output-abcdef.whole/.no-longer-there", "gone.txt\n../victim\n");
  folder.file("victim", "untouched");
  finish_outputs(place);
  EXPECT_EQ(entries(place), (Names{"a.txt", "b.txt"}));
  EXPECT_EQ(contents(place / "a.txt"), "new");
  EXPECT_EQ(contents(folder.path() / "victim"), "untouched");
}

TEST(FinishOutputs, HalvesAreRemovedUnlessTheirProcessLives) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / ".disc-output-dead00");
  folder.file(".disc-output-dead00/a.txt", "half");
  OutputFolder alive(folder.path());
  alive.write("a.txt", "one");
  finish_outputs(folder.path());
  EXPECT_FALSE(std::filesystem::exists(folder.path() / ".disc-output-dead00"));
  alive.commit();
  EXPECT_EQ(entries(folder.path()), Names{"a.txt"});
}

TEST(FinishOutputs, LinksAreLeftAlone) {
  const TemporaryFolder folder;
  std::filesystem::create_directories(folder.path() / "victim");
  folder.file("victim/a.txt", "untouched");
  std::filesystem::create_directory(folder.path() / "out");
  std::filesystem::create_directory_symlink(folder.path() / "victim",
                                            folder.path() / "out" / ".disc-output-abcdef.whole");
  finish_outputs(folder.path() / "out");
  EXPECT_EQ(contents(folder.path() / "victim" / "a.txt"), "untouched");
}

TEST(Tsv, RoundTripWithoutTabsAndLineEnds) {
  const TemporaryFolder folder;
  const TextTable table{{"condition", "group"}, {{"A", "1\t2"}, {"", "x\ny\rz"}}};
  const std::string text = encode_tsv(table);
  EXPECT_EQ(text, "condition\tgroup\nA\t1 2\n\tx y z\n");
  EXPECT_EQ(encode_tsv({{std::string("a\0b", 3)}, {{"\x1b[31m"}}}), "a b\n [31m\n");
  const TextTable back = read_tsv(folder.file("t.tsv", text));
  EXPECT_EQ(back.columns, table.columns);
  EXPECT_EQ(back.rows, (std::vector<Names>{{"A", "1 2"}, {"", "x y z"}}));
  EXPECT_EQ(back.column("group", "t.tsv"), 1);
  EXPECT_TRUE(says(input_error([&] { static_cast<void>(back.column("none", "t.tsv")); }),
                   "t.tsv: has no column 'none'; there are condition, group"));
}

TEST(Tsv, Errors) {
  const TemporaryFolder folder;
  EXPECT_TRUE(says(input_error([&] { read_tsv(folder.file("t.tsv", "a\tb\r\n1\t2\r\n3\r\n")); }),
                   "t.tsv:3: the line has 1 cells, but the header names 2 columns"));
  EXPECT_TRUE(says(input_error([&] { read_tsv(folder.file("e.tsv", "")); }), "the file is empty"));
  EXPECT_TRUE(says(input_error([&] { read_tsv(folder.path() / "none.tsv"); }), "cannot open"));
}

}  // namespace
}  // namespace disc::test
