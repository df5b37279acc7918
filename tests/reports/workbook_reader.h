#pragma once

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <map>
#include <sstream>
#include <string>
#include <vector>

/// Enough of a reader for XLSX files to test them: unpacked by CMake's own tar, read by looking for tags.
namespace weir::reports::testing {

inline std::string read_file(const std::filesystem::path& path) {
  std::ifstream file(path, std::ios::binary);
  std::stringstream text;
  text << file.rdbuf();
  return text.str();
}

inline void write_file(const std::filesystem::path& path, const std::string& bytes) {
  std::ofstream(path, std::ios::binary) << bytes;
}

inline bool run(const std::string& command) { return std::system((command + " >/dev/null 2>&1").c_str()) == 0; }

inline std::string replace_all(std::string text, const std::string& from, const std::string& to) {
  for (std::size_t at = text.find(from); at != std::string::npos; at = text.find(from, at + to.size())) {
    text.replace(at, from.size(), to);
  }
  return text;
}

inline std::string plain_text(std::string text) {
  for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
           {"&lt;", "<"}, {"&gt;", ">"}, {"&quot;", "\""}, {"&apos;", "'"}, {"&#10;", "\n"}, {"&amp;", "&"}}) {
    text = replace_all(std::move(text), from, to);
  }
  return text;
}

/// Value of an attribute in a tag, "" without it.
inline std::string attribute(const std::string& tag, const std::string& name) {
  const std::size_t at = tag.find(" " + name + "=\"");
  if (at == std::string::npos) return "";
  const std::size_t from = at + name.size() + 3;
  return plain_text(tag.substr(from, tag.find('"', from) - from));
}

/// All elements <name ...>...</name>, each with its tags.
inline std::vector<std::string> elements(const std::string& xml, const std::string& name) {
  std::vector<std::string> found;
  for (std::size_t at = xml.find("<" + name); at != std::string::npos; at = xml.find("<" + name, at + 1)) {
    const char next = xml[at + name.size() + 1];
    if (next != ' ' && next != '>' && next != '/') continue;
    const std::size_t open_end = xml.find('>', at);
    if (xml[open_end - 1] == '/') {
      found.push_back(xml.substr(at, open_end + 1 - at));
      continue;
    }
    const std::size_t end = xml.find("</" + name + ">", open_end);
    found.push_back(xml.substr(at, end - at));
  }
  return found;
}

/// Text between all tags of an element.
inline std::string inner_text(const std::string& element) {
  std::string text;
  bool inside = false;
  for (const char c : element) {
    if (c == '<') inside = true;
    if (!inside) text += c;
    if (c == '>') inside = false;
  }
  return plain_text(text);
}

struct WorkbookCell {
  std::string text;   ///< of a text cell
  double number = 0;  ///< of a number cell
  bool is_text = false, is_number = false;
  std::string formula;  ///< without "="
};

class Workbook {
 public:
  /// `folder` is emptied and holds the unpacked file. `valid` says whether it could be unpacked.
  Workbook(const std::filesystem::path& file, const std::filesystem::path& folder) : folder_(folder) {
    std::filesystem::remove_all(folder_);
    std::filesystem::create_directories(folder_);
    valid = run("cd '" + folder_.string() + "' && cmake -E tar xf '" + std::filesystem::absolute(file).string() + "'");
    if (!valid) return;
    const std::string book = xml("xl/workbook.xml");
    for (const std::string& sheet : elements(book, "sheet")) sheets.push_back(attribute(sheet, "name"));
    for (const std::string& name : elements(book, "definedName")) names[attribute(name, "name")] = inner_text(name);
    std::vector<std::string> shared;
    for (const std::string& text : elements(xml("xl/sharedStrings.xml"), "si")) shared.push_back(inner_text(text));
    for (std::size_t i = 0; i < sheets.size(); ++i) read_sheet(i, shared);
  }

  std::string xml(const std::string& part) const { return read_file(folder_ / part); }
  std::string sheet_part(std::size_t index) const { return "xl/worksheets/sheet" + std::to_string(index + 1) + ".xml"; }

  /// Puts another number into the cell that `name` stands for.
  void set(const std::string& name, double value) const {
    const std::string target = names.at(name);  // 'Inputs'!$B$7
    const std::size_t mark = target.find_last_of('!');
    const std::string cell = replace_all(target.substr(mark + 1), "$", "");
    const std::string sheet = replace_all(target.substr(0, mark), "'", "");
    for (std::size_t i = 0; i < sheets.size(); ++i) {
      if (sheets[i] != sheet) continue;
      std::string text = xml(sheet_part(i));
      const std::size_t at = text.find("<c r=\"" + cell + "\"");
      const std::size_t from = text.find("<v>", at) + 3;
      std::ostringstream number;
      number.precision(17);
      number << value;
      text.replace(from, text.find("</v>", from) - from, number.str());
      write_file(folder_ / sheet_part(i), text);
    }
  }

  /// Packs the unpacked (and changed) file again.
  bool pack(const std::filesystem::path& file) const {
    return run("cd '" + folder_.string() + "' && cmake -E tar cf '" + std::filesystem::absolute(file).string() +
               "' --format=zip -- *");
  }

  bool valid = false;
  std::vector<std::string> sheets;
  std::map<std::string, std::string> names;
  std::map<std::string, std::map<std::string, WorkbookCell>> cells;  ///< sheet -> "B7" -> cell

 private:
  void read_sheet(std::size_t index, const std::vector<std::string>& shared) {
    for (const std::string& element : elements(xml(sheet_part(index)), "c")) {
      const std::string tag = element.substr(0, element.find('>') + 1);
      WorkbookCell cell;
      const std::vector<std::string> values = elements(element, "v"), formulas = elements(element, "f");
      if (!formulas.empty()) cell.formula = inner_text(formulas.front());
      const std::string type = attribute(tag, "t");
      if (!values.empty()) {
        const std::string value = inner_text(values.front());
        cell.is_text = type == "s" || type == "str" || type == "e";
        cell.is_number = !cell.is_text;
        if (type == "s") {
          cell.text = shared.at(static_cast<std::size_t>(std::stoul(value)));
        } else if (cell.is_text) {
          cell.text = value;
        } else {
          cell.number = std::stod(value);
        }
      }
      cells[sheets[index]][attribute(tag, "r")] = cell;
    }
  }
  std::filesystem::path folder_;
};

}  // namespace weir::reports::testing
