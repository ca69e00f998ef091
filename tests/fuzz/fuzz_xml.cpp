// The XML of Excel workbooks, without the archive around it, whose checksums would keep changes out.
#include <cstdint>
#include <string_view>

#include "disc/base.hpp"
#include "io/xml_reader.hpp"

extern "C" int LLVMFuzzerTestOneInput(const std::uint8_t* data, std::size_t size) {
  try {
    disc::io::XmlReader xml({reinterpret_cast<const char*>(data), size}, "x.xlsx");
    while (xml.next() != disc::io::XmlReader::Piece::nothing) {
    }
  } catch (const disc::InputError&) {
  }
  return 0;
}
