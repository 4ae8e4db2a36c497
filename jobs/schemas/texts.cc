#include "jobs/schemas/texts.h"

#include <algorithm>
#include <charconv>
#include <map>
#include <string_view>
#include <utility>

#include "jobs/schemas/words.h"

namespace trawl {

namespace {

struct Line {
  size_t indent = 0;
  std::string name, type, about;
};

// Lines, of which some belong to one object.
struct Lines {
  const Line* begin = nullptr;
  const Line* end = nullptr;
};

struct Block {
  std::string head;  // "part page-link", "answer page-links: page | --links"
  std::vector<Line> lines;
};

// Which members are promised.
enum class Promise { kAsWritten, kAll, kNone };

std::string_view Trimmed(std::string_view text) {
  const size_t begin = std::min(text.find_first_not_of(' '), text.size());
  return text.substr(begin, text.find_last_not_of(' ') + 1 - begin);
}

// Cuts off what stands before the mark, and the mark.
std::string_view TakeUpTo(std::string_view* text, std::string_view mark) {
  const size_t at = std::min(text->find(mark), text->size());
  const std::string_view taken = text->substr(0, at);
  text->remove_prefix(std::min(at + mark.size(), text->size()));
  return Trimmed(taken);
}

Line ReadLine(std::string_view text) {
  Line line;
  line.indent = std::min(text.find_first_not_of(' '), text.size());
  std::string_view rest = Trimmed(text);
  line.about = rest;  // of an answer's first line, which has blanks of any number
  line.name = TakeUpTo(&rest, "  ");
  rest = Trimmed(rest);
  line.type = TakeUpTo(&rest, "  ");
  if (!line.type.empty()) line.about = Trimmed(rest);
  return line;
}

std::vector<Block> ReadBlocks(std::string_view text) {
  std::vector<Block> blocks;
  while (!text.empty()) {
    const std::string_view line = text.substr(0, text.find('\n'));
    text.remove_prefix(std::min(line.size() + 1, text.size()));
    if (Trimmed(line).empty()) continue;
    if (line[0] != ' ') {
      blocks.push_back({std::string(line), {}});
    } else if (!blocks.empty()) {
      blocks.back().lines.push_back(ReadLine(line));
    }
  }
  return blocks;
}

Json TypeNamed(const char* type) { return {{"type", type}}; }

Json OrNull(Json schema) {
  if (schema.contains("type") && schema["type"].is_string()) {
    schema["type"] = {schema["type"], "null"};
    if (schema.contains("enum")) schema["enum"].push_back(nullptr);
    return schema;
  }
  return {{"anyOf", {std::move(schema), TypeNamed("null")}}};
}

Json OneOf(std::vector<std::string> words) { return {{"type", "string"}, {"enum", std::move(words)}}; }

class Reader {
 public:
  explicit Reader(const std::vector<const char*>& texts) {
    for (const char* text : texts) {
      for (Block& block : ReadBlocks(text)) {
        std::string_view head = block.head;
        const std::string kind(TakeUpTo(&head, " "));
        if (kind == "part") {
          const std::string name(TakeUpTo(&head, "="));
          const std::string type(Trimmed(head));
          if (!parts_.try_emplace(name, Part{type.empty() ? "object" : type, std::move(block.lines)}).second) {
            Fault("there are two parts " + name);
          }
        } else {
          published_.push_back(std::move(block));
        }
      }
    }
  }

  ReadTexts Read() {
    ReadTexts read;
    for (const Block& block : published_) read.published.push_back(Publish(block));
    for (const auto& [name, part] : parts_) {
      read.parts.emplace_back(name, SchemaOf(part.type, LinesOf(part.lines), Promise::kAsWritten));
    }
    read.faults = std::move(faults_);
    return read;
  }

 private:
  struct Part {
    std::string type;
    std::vector<Line> lines;
  };

  static Lines LinesOf(const std::vector<Line>& lines) { return {lines.data(), lines.data() + lines.size()}; }

  void Fault(std::string what) { faults_.push_back(std::move(what)); }

  const Part& PartNamed(const std::string& name) {
    static const Part none = {"object", {}};
    const auto found = parts_.find(name);
    if (found != parts_.end()) return found->second;
    Fault("there is no part " + name);
    return none;
  }

  // "answer page-links 1.1: page | --links | lines"
  PublishedSchema Publish(const Block& block) {
    PublishedSchema schema;
    std::string_view head = block.head;
    const bool is_answer = TakeUpTo(&head, " ") == "answer";
    std::string_view name = TakeUpTo(&head, ":");
    schema.name = TakeUpTo(&name, " ");
    if (const size_t point = name.find('.'); point != std::string_view::npos) {
      std::from_chars(name.data(), name.data() + point, schema.major);
      std::from_chars(name.data() + point + 1, name.data() + name.size(), schema.minor);
    }
    if (is_answer) {
      schema.verb = TakeUpTo(&head, "|");
      schema.when = TakeUpTo(&head, "|");
      schema.is_lines = Trimmed(head) == "lines";
    } else {
      schema.path = Trimmed(head);
    }
    if (block.lines.empty()) {
      Fault(schema.name + " has no lines");
      return schema;
    }
    const Line& first = block.lines.front();
    schema.about = first.about;
    schema.schema = ObjectOf({block.lines.data() + 1, block.lines.data() + block.lines.size()}, Promise::kAsWritten);
    return schema;
  }

  // The forms of an object that `or` divides.
  Json ObjectOf(Lines lines, Promise promise) {
    Json forms = Json::array();
    while (true) {
      const Line* end = lines.begin;
      while (end != lines.end && !(end->name == "or" && end->indent == lines.begin->indent)) ++end;
      forms.push_back(FormOf({lines.begin, end}, promise));
      if (end == lines.end) break;
      lines.begin = end + 1;
    }
    if (forms.size() == 1) return forms[0];
    return {{"anyOf", std::move(forms)}};
  }

  Json FormOf(Lines lines, Promise promise) {
    Json object = {{"type", "object"}, {"required", Json::array()}, {"properties", Json::object()}};
    AddMembers(lines, promise, &object);
    return object;
  }

  void AddMembers(Lines lines, Promise promise, Json* object) {
    for (const Line* line = lines.begin; line != lines.end;) {
      const Line* end = line + 1;
      while (end != lines.end && end->indent > line->indent) ++end;
      AddMember(*line, {line + 1, end}, promise, object);
      line = end;
    }
  }

  void AddMember(const Line& line, Lines below, Promise promise, Json* object) {
    std::string name = line.name;
    if (name == "...") {
      (*object)["additionalProperties"] = true;
      return;
    }
    const char mark = name.back();
    if (mark == '~' || mark == '+' || mark == '!') name.pop_back();
    if (name[0] == '&') {
      const Promise of_part = mark == '!' ? Promise::kAll : mark == '~' ? Promise::kNone : promise;
      AddMembers(LinesOf(PartNamed(name.substr(1)).lines), of_part, object);
      return;
    }
    const bool is_later = mark == '+' && promise == Promise::kAsWritten;
    Json schema = {{"description", line.about + (is_later ? " Since version 1.1." : "")}};
    schema.update(SchemaOf(line.type, below, promise == Promise::kAll ? promise : Promise::kAsWritten));
    if (line.about.empty()) Fault(line.name + " does not say what it is");
    if (name == "*") {
      (*object)["additionalProperties"] = std::move(schema);
    } else if (name.ends_with(".*")) {
      (*object)["patternProperties"]["^" + name.substr(0, name.size() - 2) + "\\."] = std::move(schema);
    } else if (name.starts_with("*.")) {
      (*object)["patternProperties"]["\\." + name.substr(2) + "$"] = std::move(schema);
    } else {
      (*object)["properties"][name] = std::move(schema);
      Json& required = (*object)["required"];
      const bool is_promised =
          promise == Promise::kAll ? mark != '~' : promise != Promise::kNone && mark != '~' && mark != '+';
      if (is_promised && std::find(required.begin(), required.end(), Json(name)) == required.end()) {
        required.push_back(name);
      }
    }
  }

  Json SchemaOf(const std::string& type, Lines below, Promise promise) {
    if (const size_t either = type.find(" / "); either != std::string::npos) {
      return {{"anyOf",
               {SchemaOf(type.substr(0, either), below, promise), SchemaOf(type.substr(either + 3), below, promise)}}};
    }
    const std::string inner = type.size() < 2 ? "" : type.substr(1, type.size() - 2);
    const char first = type.empty() ? ' ' : type.front(), last = type.empty() ? ' ' : type.back();
    if (last == '?') return OrNull(SchemaOf(type.substr(0, type.size() - 1), below, promise));
    if (first == '[' && last == ']') return {{"type", "array"}, {"items", SchemaOf(inner, below, promise)}};
    if (first == '{' && last == '}') {
      return {{"type", "object"}, {"additionalProperties", SchemaOf(inner, below, promise)}};
    }
    if (first == '\'' && last == '\'') return {{"const", inner}};
    if (first == '(' && last == ')') return OneOf(WordsOf(inner));
    if (first == '@') return OneOf(KnownWords(type.substr(1)));
    if (first == '=') {
      const Part& part = PartNamed(type.substr(1));
      return SchemaOf(part.type, LinesOf(part.lines), promise);
    }
    return NamedType(type, below, promise);
  }

  Json NamedType(const std::string& type, Lines below, Promise promise) {
    if (type == "object") return ObjectOf(below, promise);
    if (type == "open") return {{"type", "object"}, {"additionalProperties", true}};
    if (type == "any") return Json::object();
    if (type == "text") return TypeNamed("string");
    if (type == "flag") return TypeNamed("boolean");
    if (type == "integer" || type == "number" || type == "null") return TypeNamed(type.c_str());
    if (type == "time") return {{"type", "string"}, {"format", "date-time"}};
    if (type == "true" || type == "false") return {{"const", type == "true"}};
    int64_t number = 0;
    const auto [end, error] = std::from_chars(type.data(), type.data() + type.size(), number);
    if (error != std::errc() || end != type.data() + type.size()) Fault("there is no type '" + type + "'");
    return {{"const", number}};
  }

  static std::vector<std::string> WordsOf(std::string_view text) {
    std::vector<std::string> words;
    while (!text.empty()) words.emplace_back(TakeUpTo(&text, "|"));
    return words;
  }

  std::vector<std::string> KnownWords(const std::string& name) {
    std::vector<std::string> words = WordsNamed(name);
    if (words.empty()) Fault("there are no words @" + name);
    return words;
  }

  std::map<std::string, Part> parts_;
  std::vector<Block> published_;
  std::vector<std::string> faults_;
};

}  // namespace

ReadTexts ReadSchemaTexts(const std::vector<const char*>& texts) { return Reader(texts).Read(); }

}  // namespace trawl
