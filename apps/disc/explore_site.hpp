// What the server of disc explore gives to whom: the page, the files of the run, and answers of the engine; to those alone who know the token.
#pragma once

#include <filesystem>
#include <functional>
#include <map>
#include <string>

#include "local_server.hpp"

namespace disc::app {

/// 32 letters that nobody can guess.
std::string random_token();

class Site {
 public:
  /// What the engine is asked, and what it answers: JSON both. Throws disc::Error with a sentence for the reader.
  using Question = std::function<std::string(const std::string& body)>;

  /// `page`: the html. Of the files of `folder` those that a run writes are given.
  Site(std::filesystem::path folder, std::string page, std::string token, int port);

  /// What takes long is asked by POST at ask/NAME, one after the other; what does not, at NAME.
  void answer(const std::string& name, Question question) { questions_[name] = std::move(question); }
  void answer_at_once(const std::string& name, std::function<std::string()> question) {
    quick_[name] = std::move(question);
  }

  Answer operator()(const Request& request) const;
  /// For the browser.
  std::string address() const;

 private:
  bool is_for_us(const Request& request) const;
  Answer ask(const std::string& name, const Request& request) const;
  Response file(const std::string& name) const;

  std::filesystem::path folder_;
  std::string page_, token_;
  std::string host_, other_host_;  // as browsers write them
  std::map<std::string, Question> questions_;
  std::map<std::string, std::function<std::string()>> quick_;
};

}  // namespace disc::app
