#include "disc/where.hpp"

#include <algorithm>
#include <cctype>
#include <charconv>
#include <cmath>
#include <optional>
#include <set>

#include "disc/spelling.hpp"
#include "pipeline/sample_columns.hpp"

namespace disc {

// A comparison, or `and`, `or`, `not` of other nodes.
struct SampleFilter::Node {
  enum class Kind { comparison, all_of, any_of, negation };
  Kind kind = Kind::comparison;
  std::string label, sign;          // of a comparison
  std::vector<std::string> values;  // several after `in`
  std::vector<Node> parts;          // of the others
};

namespace {

using Node = SampleFilter::Node;

struct Token {
  enum class Kind { text, sign, word, end };  // a word is `and`, `or`, `not`, `in`
  Kind kind = Kind::end;
  std::string text;
  bool is_quoted = false;
};

class Tokens {
 public:
  explicit Tokens(const std::string& expression) : expression_(expression) { split(); }

  const Token& front() const { return tokens_[at_]; }
  Token take() { return tokens_[at_ + 1 < tokens_.size() ? at_++ : at_]; }
  bool take_if(Token::Kind kind, std::string_view text) {
    const bool is_there = front().kind == kind && front().text == text;
    if (is_there) take();
    return is_there;
  }
  [[noreturn]] void refuse(const std::string& why) const {
    throw OptionError(
        "where", expression_,
        why + "; it must be a comparison such as \"cell_type == CD14 Mono\", or several with and, or, not");
  }

 private:
  static bool is_sign(char letter) { return std::string_view("=!<>(),[]").find(letter) != std::string_view::npos; }

  void split() {
    std::size_t at = 0;
    while (at < expression_.size()) {
      const char letter = expression_[at];
      if (std::isspace(static_cast<unsigned char>(letter)) != 0) {
        ++at;
      } else if (letter == '"' || letter == '\'') {
        at = add_quoted(at);
      } else if (is_sign(letter)) {
        const bool is_double =
            at + 1 < expression_.size() && expression_[at + 1] == '=' && letter != '(' && letter != ',';
        tokens_.push_back({Token::Kind::sign, expression_.substr(at, is_double ? 2 : 1)});
        at += is_double ? 2 : 1;
      } else {
        at = add_text(at);
      }
    }
    tokens_.push_back({});
  }

  std::size_t add_quoted(std::size_t at) {
    const std::size_t end = expression_.find(expression_[at], at + 1);
    if (end == std::string::npos) refuse("a quote is not closed");
    tokens_.push_back({Token::Kind::text, expression_.substr(at + 1, end - at - 1), true});
    return end + 1;
  }

  // One blank-separated piece; pieces side by side are one text, "CD14 Mono".
  std::size_t add_text(std::size_t at) {
    std::size_t end = at;
    while (end < expression_.size() && !is_sign(expression_[end]) &&
           std::isspace(static_cast<unsigned char>(expression_[end])) == 0) {
      ++end;
    }
    const std::string piece = expression_.substr(at, end - at);
    const bool is_word = piece == "and" || piece == "or" || piece == "not" || piece == "in";
    if (!is_word && !tokens_.empty() && tokens_.back().kind == Token::Kind::text && !tokens_.back().is_quoted) {
      tokens_.back().text += " " + piece;
    } else {
      tokens_.push_back({is_word ? Token::Kind::word : Token::Kind::text, piece});
    }
    return end;
  }

  const std::string& expression_;
  std::vector<Token> tokens_;
  std::size_t at_ = 0;
};

constexpr int deepest = 50;  // brackets within brackets

Node parse_any(Tokens& tokens, int depth);

std::string parse_text(Tokens& tokens, const std::string& what) {
  if (tokens.front().kind != Token::Kind::text) tokens.refuse(what + " is missing");
  return tokens.take().text;
}

std::vector<std::string> parse_list(Tokens& tokens) {
  const bool round = tokens.take_if(Token::Kind::sign, "(");
  const bool square = !round && tokens.take_if(Token::Kind::sign, "[");
  std::vector<std::string> values;
  do {
    values.push_back(parse_text(tokens, "a value after 'in'"));
  } while (tokens.take_if(Token::Kind::sign, ","));
  if ((round && !tokens.take_if(Token::Kind::sign, ")")) || (square && !tokens.take_if(Token::Kind::sign, "]"))) {
    tokens.refuse("the bracket after 'in' is not closed");
  }
  return values;
}

Node parse_comparison(Tokens& tokens) {
  Node node;
  node.label = parse_text(tokens, "the name of a label");
  bool is_negated = tokens.take_if(Token::Kind::word, "not");
  if (tokens.take_if(Token::Kind::word, "in")) {
    node.sign = is_negated ? "!=" : "==";
    node.values = parse_list(tokens);
    return node;
  }
  constexpr std::string_view signs[] = {"==", "=", "!=", "<", "<=", ">", ">="};
  const Token sign = tokens.take();
  if (is_negated || sign.kind != Token::Kind::sign || std::ranges::find(signs, sign.text) == std::end(signs)) {
    tokens.refuse("after '" + node.label + "' one of ==, !=, <, <=, >, >=, in is needed");
  }
  node.sign = sign.text == "=" ? "==" : sign.text;
  node.values.push_back(parse_text(tokens, "the value after '" + sign.text + "'"));
  return node;
}

Node parse_one(Tokens& tokens, int depth) {
  if (depth > deepest) tokens.refuse("there are too many brackets");
  if (tokens.take_if(Token::Kind::word, "not")) {
    Node node;
    node.kind = Node::Kind::negation;
    node.parts.push_back(parse_one(tokens, depth + 1));
    return node;
  }
  if (!tokens.take_if(Token::Kind::sign, "(")) return parse_comparison(tokens);
  Node node = parse_any(tokens, depth + 1);
  if (!tokens.take_if(Token::Kind::sign, ")")) tokens.refuse("a bracket is not closed");
  return node;
}

template <class Parse>
Node parse_joined(Tokens& tokens, std::string_view word, Node::Kind kind, Parse parse) {
  Node node;
  node.kind = kind;
  do {
    node.parts.push_back(parse());
  } while (tokens.take_if(Token::Kind::word, word));
  if (node.parts.size() > 1) return node;
  Node only = std::move(node.parts.front());
  return only;
}

Node parse_any(Tokens& tokens, int depth) {
  return parse_joined(tokens, "or", Node::Kind::any_of, [&] {
    return parse_joined(tokens, "and", Node::Kind::all_of, [&] { return parse_one(tokens, depth); });
  });
}

void collect_labels(const Node& node, std::vector<std::string>& labels) {
  if (node.kind == Node::Kind::comparison && std::ranges::find(labels, node.label) == labels.end()) {
    labels.push_back(node.label);
  }
  for (const Node& part : node.parts) collect_labels(part, labels);
}

std::optional<double> number_in(const std::string& text) {
  double value = 0;
  const char* const end = text.data() + text.size();
  const auto [rest, failure] = std::from_chars(text.data(), end, value);
  if (failure != std::errc() || rest != end || !std::isfinite(value)) return std::nullopt;
  return value;
}

// As text, or as numbers where both are: 1 is 1.0.
bool is_equal(const std::string& a, const std::string& b) {
  if (a == b) return true;
  const auto left = number_in(a), right = number_in(b);
  return left && right && *left == *right;
}

bool compare(const std::string& cell, const std::string& sign, const std::vector<std::string>& values) {
  if (cell.empty()) return false;
  if (sign == "==" || sign == "!=") {
    const bool is_one = std::ranges::any_of(values, [&](const std::string& value) { return is_equal(cell, value); });
    return is_one == (sign == "==");
  }
  const auto left = number_in(cell), right = number_in(values.front());
  if (!left || !right) return false;
  if (sign == "<") return *left < *right;
  if (sign == "<=") return *left <= *right;
  return sign == ">" ? *left > *right : *left >= *right;
}

// The values of one label in all sets of samples.
using Cells = std::vector<std::vector<std::string>>;
using CellsOf = std::function<const Cells&(const std::string& label)>;

std::string some_of(const std::set<std::string>& values) {
  constexpr std::size_t most = 20;
  std::string list;
  std::size_t count = 0;
  for (const std::string& value : values) {
    if (count++ == most) return list + ", ... " + std::to_string(values.size()) + " in all";
    list += (list.empty() ? "" : ", ") + value;
  }
  return list.empty() ? "none" : list;
}

void check_values(const Node& node, const CellsOf& cells_of, const Tokens& tokens) {
  for (const Node& part : node.parts) check_values(part, cells_of, tokens);
  if (node.kind != Node::Kind::comparison) return;
  std::set<std::string> present;
  for (const auto& set : cells_of(node.label)) present.insert(set.begin(), set.end());
  present.erase("");
  const std::vector<std::string> known(present.begin(), present.end());
  const bool by_size = node.sign != "==" && node.sign != "!=";
  if (by_size && !number_in(node.values.front())) {
    tokens.refuse("'" + node.sign + "' compares numbers, and '" + node.values.front() + "' is none");
  }
  if (by_size && std::ranges::none_of(known, [](const std::string& value) { return number_in(value).has_value(); })) {
    throw InputError("--where: '" + node.sign + "' compares numbers, and the values of '" + node.label +
                     "' are none: " + some_of(present));
  }
  for (const std::string& value : node.values) {
    if (by_size || std::ranges::any_of(known, [&](const std::string& one) { return is_equal(one, value); })) continue;
    throw InputError({.value = value}, "--where: no sample has the value '" + value + "' of '" + node.label +
                                           "'; there are " + some_of(present) + did_you_mean(value, known));
  }
}

bool meets(const Node& node, const CellsOf& cells_of, std::size_t set, std::size_t sample) {
  const auto part_meets = [&](const Node& part) { return meets(part, cells_of, set, sample); };
  switch (node.kind) {
    case Node::Kind::all_of:
      return std::ranges::all_of(node.parts, part_meets);
    case Node::Kind::any_of:
      return std::ranges::any_of(node.parts, part_meets);
    case Node::Kind::negation:
      return !part_meets(node.parts.front());
    case Node::Kind::comparison:
      break;
  }
  return compare(cells_of(node.label)[set][sample], node.sign, node.values);
}

}  // namespace

SampleFilter::SampleFilter(const std::string& expression) : expression_(expression) {
  Tokens tokens(expression_);
  root_ = std::make_unique<Node>(parse_any(tokens, 0));
  if (tokens.front().kind != Token::Kind::end) tokens.refuse("'" + tokens.front().text + "' is not expected there");
  collect_labels(*root_, labels_);
}

SampleFilter::~SampleFilter() = default;

std::vector<std::vector<Index>> SampleFilter::rows(
    Index sets, const std::function<std::vector<std::string>(Index set, const std::string& label)>& values) const {
  std::vector<Cells> cells(labels_.size());
  for (std::size_t k = 0; k < labels_.size(); ++k) {
    for (Index set = 0; set < sets; ++set) cells[k].push_back(values(set, labels_[k]));
  }
  const CellsOf cells_of = [&](const std::string& label) -> const Cells& {
    return cells[static_cast<std::size_t>(std::ranges::find(labels_, label) - labels_.begin())];
  };
  check_values(*root_, cells_of, Tokens(expression_));
  std::vector<std::vector<Index>> chosen(static_cast<std::size_t>(sets));
  for (std::size_t set = 0; set < chosen.size(); ++set) {
    for (std::size_t sample = 0; sample < cells.front()[set].size(); ++sample) {
      if (meets(*root_, cells_of, set, sample)) chosen[set].push_back(static_cast<Index>(sample));
    }
  }
  return chosen;
}

std::vector<Dataset> select_where(std::vector<Dataset> conditions, const DesignOptions& design,
                                  const Context& context) {
  if (design.where.empty()) return conditions;
  const SampleFilter filter(design.where);
  const SampleColumns columns(design.metadata, design.by.empty());
  const auto rows = filter.rows(static_cast<Index>(conditions.size()), [&](Index m, const std::string& label) {
    return columns.of(conditions[static_cast<std::size_t>(m)], label, "where", false);
  });
  for (std::size_t m = 0; m < conditions.size(); ++m) {
    Dataset& condition = conditions[m];
    if (rows[m].empty()) {
      throw InputError({.file = condition.source},
                       "no sample of condition '" + condition.name + "' meets --where \"" + design.where + "\"");
    }
    const Index all = condition.values.rows();
    if (static_cast<Index>(rows[m].size()) == all) continue;
    context.info("condition " + condition.name + ": " + std::to_string(rows[m].size()) + " of " + std::to_string(all) +
                 " samples meet --where \"" + design.where + "\"");
    condition = select_samples(condition, rows[m]);
  }
  return conditions;
}

}  // namespace disc
