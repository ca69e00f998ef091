#include "io/tiff_handle.hpp"

#include <algorithm>
#include <cstdarg>
#include <cstdio>
#include <cstring>
#include <exception>
#include <new>

#include "io/bytes.hpp"

namespace disc::io {

struct TiffHandle::Memory {
  std::string_view read;
  std::string written;
  bool writes = false;
  toff_t at = 0;
  char complaint[256] = "";  // no exception may pass through libtiff

  toff_t size() const { return writes ? written.size() : read.size(); }
};

namespace {

TiffHandle::Memory& memory_of(thandle_t handle) { return *static_cast<TiffHandle::Memory*>(handle); }

tmsize_t read_bytes(thandle_t handle, void* to, tmsize_t count) {
  TiffHandle::Memory& memory = memory_of(handle);
  const std::string_view from = memory.writes ? std::string_view(memory.written) : memory.read;
  if (memory.at >= from.size() || count <= 0) return 0;
  const std::size_t taken = std::min<std::size_t>(static_cast<std::size_t>(count), from.size() - memory.at);
  std::memcpy(to, from.data() + memory.at, taken);
  memory.at += taken;
  return static_cast<tmsize_t>(taken);
}

tmsize_t write_bytes(thandle_t handle, void* from, tmsize_t count) {
  TiffHandle::Memory& memory = memory_of(handle);
  if (!memory.writes || count <= 0) return 0;
  const auto length = static_cast<std::size_t>(count);
  try {
    if (memory.written.size() < memory.at + length) memory.written.resize(memory.at + length);
  } catch (const std::exception&) {
    return 0;
  }
  std::memcpy(memory.written.data() + memory.at, from, length);
  memory.at += length;
  return count;
}

toff_t seek_to(thandle_t handle, toff_t offset, int whence) {
  TiffHandle::Memory& memory = memory_of(handle);
  const toff_t from = whence == SEEK_SET ? 0 : (whence == SEEK_CUR ? memory.at : memory.size());
  memory.at = from + offset;
  return memory.at;
}

int close_nothing(thandle_t) { return 0; }

toff_t size_of(thandle_t handle) { return memory_of(handle).size(); }

__attribute__((format(printf, 4, 0))) int keep_complaint(TIFF*, void* user_data, const char*, const char* format,
                                                         va_list values) {
  TiffHandle::Memory& memory = memory_of(user_data);
  if (memory.complaint[0] == '\0') std::vsnprintf(memory.complaint, sizeof memory.complaint, format, values);
  return 1;
}

__attribute__((format(printf, 4, 0))) int ignore_warning(TIFF*, void*, const char*, const char*, va_list) { return 1; }

}  // namespace

TiffHandle::TiffHandle(std::string_view bytes, std::size_t largest) : memory_(std::make_unique<Memory>()) {
  memory_->read = bytes;
  open("rm", largest);
}

TiffHandle::TiffHandle(bool is_big) : memory_(std::make_unique<Memory>()) {
  memory_->writes = true;
  open(is_big ? "w8" : "w", 0);
}

TiffHandle::~TiffHandle() {
  if (tiff_ != nullptr) TIFFClose(tiff_);
}

void TiffHandle::open(const char* mode, std::size_t largest) {
  const std::unique_ptr<TIFFOpenOptions, decltype(&TIFFOpenOptionsFree)> options(TIFFOpenOptionsAlloc(),
                                                                                 TIFFOpenOptionsFree);
  if (!options) throw std::bad_alloc();
  TIFFOpenOptionsSetErrorHandlerExtR(options.get(), keep_complaint, memory_.get());
  TIFFOpenOptionsSetWarningHandlerExtR(options.get(), ignore_warning, nullptr);
  if (largest > 0) TIFFOpenOptionsSetMaxSingleMemAlloc(options.get(), static_cast<tmsize_t>(largest));
  tiff_ = TIFFClientOpenExt("", mode, memory_.get(), read_bytes, write_bytes, seek_to, close_nothing, size_of, nullptr,
                            nullptr, options.get());
}

std::string TiffHandle::complaint() const {
  return memory_->complaint[0] == '\0' ? "" : ": " + printable(memory_->complaint);
}

std::string TiffHandle::to_bytes() {
  TIFFClose(tiff_);
  tiff_ = nullptr;
  return std::move(memory_->written);
}

}  // namespace disc::io
