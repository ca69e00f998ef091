#include "io/xml_reader.hpp"

#include "support.hpp"

namespace disc::test {
namespace {

using io::XmlReader;
using Piece = XmlReader::Piece;

std::string walked(const std::string& text) {
  XmlReader xml(text, "a.xlsx");
  std::string all;
  for (Piece piece = xml.next(); piece != Piece::nothing; piece = xml.next()) {
    all += piece == Piece::start ? "<" + xml.name() + xml.attribute("a") + ">"
           : piece == Piece::end ? "</" + xml.name() + ">"
                                 : xml.text();
  }
  return all;
}

TEST(XmlReader, TagsTextsAndEntities) {
  EXPECT_EQ(walked("<?xml version='1.0'?><x:r a = \"1 &lt; 2\"><!-- no --><c/>&#65;&#xe4;<![CDATA[<&]]></x:r>"),
            "<r1 < 2><c></c>A\xc3\xa4<&</r>");
}

TEST(XmlReader, DamagedDocumentsAreRefused) {
  for (const char* text : {"<", "<a", "<a b>", "<a b=c>", "<a b='c>", "</a b='c'>", "&nope;", "&amp",
                           "<!DOCTYPE x [<!ENTITY y 'z'>]><x/>", "<!-- ", "<>", "&#x110000;"}) {
    EXPECT_THROW(walked(text), InputError) << text;
  }
}

}  // namespace
}  // namespace disc::test
