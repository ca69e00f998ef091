// The tags and texts of an XML document, one after the other. Strict: what is not well-formed, and declarations of other documents or
// entities, are refused.
#pragma once

#include <map>
#include <string>
#include <string_view>

namespace disc::io {

class XmlReader {
 public:
  enum class Piece { start, end, text, nothing };

  /// The text must outlive it; `what` stands for it in messages.
  XmlReader(std::string_view text, std::string what);

  /// Goes to the next piece. An empty element <a/> is a start and an end. Throws InputError.
  Piece next();
  /// Of a start or end: the name of the element without its prefix.
  const std::string& name() const { return name_; }
  /// Of a start: a value, or nothing.
  std::string attribute(const std::string& name) const;
  /// Of a text: with its entities replaced.
  const std::string& text() const { return content_; }

 private:
  [[noreturn]] void refuse(const std::string& why) const;
  std::string_view up_to(std::string_view end);
  Piece read_tag();
  std::string replaced(std::string_view text) const;

  std::string_view rest_;
  std::string what_;
  std::string name_, content_;
  std::map<std::string, std::string> attributes_;
  bool ends_at_once_ = false;
};

}  // namespace disc::io
