#include "io/bytes.hpp"

#include <fcntl.h>
#include <sys/mman.h>
#include <sys/stat.h>
#include <unistd.h>
#include <zlib.h>

#include <algorithm>
#include <cerrno>
#include <cstdint>
#include <fstream>
#include <limits>
#include <new>
#include <system_error>

namespace disc::io {
namespace {

// How much is read or decompressed between two looks at the stop token.
constexpr std::size_t piece = std::size_t{1} << 20;
constexpr std::size_t read_below = std::size_t{64} << 10;

// What this process has in memory, files that are mapped not counted.
double memory_in_use() {
  double pages = 0, resident = 0, shared = 0;
  std::ifstream("/proc/self/statm") >> pages >> resident >> shared;
  return std::max(0.0, resident - shared) * static_cast<double>(::sysconf(_SC_PAGESIZE));
}

// Grows by doubling, which is looked at first: a small file may unfold to more than any memory.
void make_room(std::string& text, std::size_t needed, const std::string& file, const Context& context) {
  if (text.size() >= needed) return;
  const std::size_t size = std::max(2 * text.size(), needed);
  constexpr std::size_t always_allowed = std::size_t{32} << 20;
  if (size > always_allowed) require_memory(size, file, context);
  try {
    text.resize(size);
  } catch (const std::bad_alloc&) {  // less is given to this process than the machine has
    throw InputError({.file = file}, "reading it takes more memory than this process may have");
  }
}

class Descriptor {
 public:
  explicit Descriptor(const std::filesystem::path& file) : value_(::open(file.c_str(), O_RDONLY | O_CLOEXEC)) {}
  Descriptor(const Descriptor&) = delete;
  Descriptor& operator=(const Descriptor&) = delete;
  ~Descriptor() {
    if (value_ >= 0) ::close(value_);
  }
  int value() const { return value_; }

 private:
  int value_;
};

// Pipes and devices cannot be mapped.
Bytes read_to_end(const Descriptor& input, const std::string& file, const Context& context) {
  auto text = std::make_shared<std::string>();
  std::size_t used = 0;
  for (;;) {
    context.check_stop();
    make_room(*text, used + piece, file, context);
    const ssize_t count = ::read(input.value(), text->data() + used, piece);
    if (count < 0 && errno == EINTR) continue;
    if (count < 0) throw InputError({.file = file}, "cannot read: " + system_message(errno));
    if (count == 0) break;
    used += static_cast<std::size_t>(count);
  }
  text->resize(used);
  return {*text, text};
}

class Inflater {
 public:
  explicit Inflater(bool gzip) {
    // 15 bits of window; 16 more ask for the gzip wrapper instead of zlib's.
    if (inflateInit2(&stream_, gzip ? 15 + 16 : 15) != Z_OK) throw std::bad_alloc();
  }
  Inflater(const Inflater&) = delete;
  Inflater& operator=(const Inflater&) = delete;
  ~Inflater() { inflateEnd(&stream_); }
  z_stream& stream() { return stream_; }

 private:
  z_stream stream_{};
};

// One step of decompression into text[used...], where there is room for a piece; returns zlib's verdict.
int inflate_piece(z_stream& stream, std::string_view& input, std::string& text, std::size_t& used) {
  const std::size_t offered = std::min(input.size(), piece);
  // zlib's interface is older than const.
  stream.next_in = reinterpret_cast<Bytef*>(const_cast<char*>(input.data()));
  stream.avail_in = static_cast<uInt>(offered);
  stream.next_out = reinterpret_cast<Bytef*>(text.data() + used);
  stream.avail_out = static_cast<uInt>(piece);
  const int verdict = inflate(&stream, Z_NO_FLUSH);
  input.remove_prefix(offered - stream.avail_in);
  used += piece - stream.avail_out;
  return verdict;
}

// One member to its end, or until there are `limit` bytes.
void inflate_member(Inflater& inflater, std::string_view& input, std::string& text, std::size_t& used, const char* kind,
                    std::size_t limit, const std::string& file, const Context& context) {
  while (used < limit) {
    context.check_stop();
    make_room(text, used + piece, file, context);
    const std::size_t input_before = input.size(), used_before = used;
    const int verdict = inflate_piece(inflater.stream(), input, text, used);
    if (verdict == Z_STREAM_END) return;
    const std::string data = std::string("the ") + kind + " data ";
    if (verdict != Z_OK && verdict != Z_BUF_ERROR) throw InputError({.file = file}, data + "are damaged");
    const bool stuck = input.size() == input_before && used == used_before;
    if (stuck) throw InputError({.file = file}, data + "end too early; the file is truncated");
  }
}

// How much a gzip file says it holds, in its last four bytes; not believed beyond what text is usually packed to.
std::size_t expected_size(std::string_view bytes) {
  constexpr std::size_t usual_ratio = 16;
  std::size_t size = 0;
  for (std::size_t k = 1; k <= 4 && k <= bytes.size(); ++k) {
    size = size << 8 | static_cast<unsigned char>(bytes[bytes.size() - k]);
  }
  return std::min(size, usual_ratio * bytes.size());
}

bool is_gzip(std::string_view bytes) { return bytes.size() >= 2 && bytes[0] == '\x1f' && bytes[1] == '\x8b'; }

}  // namespace

void require_memory(std::size_t more, const std::string& file, const Context& context) {
  constexpr double mebibyte = 1024.0 * 1024.0;
  const bool is_given = context.memory_limit() > 0;
  const double limit =
      is_given ? context.memory_limit()
               : static_cast<double>(::sysconf(_SC_PHYS_PAGES)) * static_cast<double>(::sysconf(_SC_PAGESIZE));
  if (memory_in_use() + static_cast<double>(more) <= limit) return;
  throw InputError({.file = file}, "reading it takes more memory than " +
                                       std::string(is_given ? "may be used" : "this machine has") + ", " +
                                       std::to_string(static_cast<std::int64_t>(limit / mebibyte)) + " MiB" +
                                       (is_given ? " (--memory-limit)" : ""));
}

std::string system_message(int error) { return std::error_code(error, std::generic_category()).message(); }

std::string printable(std::string_view value) {
  constexpr std::size_t longest = 40;
  std::size_t length = std::min(value.size(), longest);
  while (length > 0 && length < value.size() && (static_cast<unsigned char>(value[length]) & 0xc0) == 0x80) --length;
  const std::string text = for_terminal(value.substr(0, length));
  return length < value.size() ? text + "..." : text;
}

Bytes load_file(const std::filesystem::path& file, const Context& context) {
  const Descriptor input(file);
  if (input.value() < 0) {
    const std::string problem = "cannot open: " + system_message(errno);
    const bool is_address = file.string().starts_with("http:") || file.string().starts_with("https:");
    throw InputError(
        {.file = file.string()},
        is_address ? "this is an address; files are read from this machine, so download it first" : problem);
  }
  struct stat status {};
  if (::fstat(input.value(), &status) != 0) {
    throw InputError({.file = file.string()}, "cannot open: " + system_message(errno));
  }
  if (S_ISDIR(status.st_mode)) throw InputError({.file = file.string()}, "is a directory; a file is needed");
  // Files of the system (/proc) claim to be empty and are not.
  if (!S_ISREG(status.st_mode) || status.st_size == 0) return read_to_end(input, file.string(), context);
  const auto size = static_cast<std::size_t>(status.st_size);
  // Of small files there may be more than the system maps, and who changes one meanwhile does no harm.
  if (size <= read_below) return read_to_end(input, file.string(), context);
  void* memory = ::mmap(nullptr, size, PROT_READ, MAP_PRIVATE, input.value(), 0);
  if (memory == MAP_FAILED) return read_to_end(input, file.string(), context);
  std::shared_ptr<const void> owner(memory, [size](void* mapped) { ::munmap(mapped, size); });
  return {{static_cast<const char*>(memory), size}, std::move(owner)};
}

Bytes decompressed(Bytes bytes, const std::string& file, const Context& context) {
  if (!is_gzip(bytes.view)) return bytes;
  Inflater inflater(true);
  auto text = std::make_shared<std::string>();
  text->resize(expected_size(bytes.view) + piece);  // growing step by step would copy what is there each time
  std::size_t used = 0;
  std::string_view input = bytes.view;
  while (true) {
    inflate_member(inflater, input, *text, used, "gzip", std::numeric_limits<std::size_t>::max(), file, context);
    if (!is_gzip(input)) break;  // what follows the last member is padding
    if (inflateReset(&inflater.stream()) != Z_OK) throw InputError({.file = file}, "the gzip data are damaged");
  }
  text->resize(used);
  if (is_gzip(*text)) throw InputError({.file = file}, "is compressed twice; decompress it once");
  return {*text, text};
}

std::string inflated(std::string_view bytes, const std::string& file, const Context& context, std::size_t limit) {
  Inflater inflater(false);
  std::string text;
  std::size_t used = 0;
  inflate_member(inflater, bytes, text, used, "zlib", limit, file, context);
  text.resize(std::min(used, limit));
  return text;
}

}  // namespace disc::io
