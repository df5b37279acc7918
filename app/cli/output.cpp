#include "app/cli/output.h"

#include <sys/ioctl.h>
#include <unistd.h>

#include <algorithm>
#include <cerrno>
#include <cstring>
#include <filesystem>
#include <iostream>

#include "data/errors.h"
#include "data/json_io.h"
#include "reports/csv.h"

namespace weir::cli {
namespace fs = std::filesystem;
namespace {

void require_writable(const std::string& name) {
  const fs::path file(name);
  const fs::path folder = file.has_parent_path() ? file.parent_path() : fs::path(".");
  std::error_code error;
  if (fs::is_directory(file, error)) throw data::SystemError(name + ": is a folder, a file is needed");
  if (!fs::is_directory(folder, error)) throw data::SystemError(name + ": there is no folder " + folder.string());
  if (access(folder.c_str(), W_OK) != 0) {
    throw data::SystemError(name + ": the folder cannot be written: " + std::strerror(errno));
  }
}

}  // namespace

int terminal_width() {
  winsize size{};
  if (isatty(STDOUT_FILENO) == 1 && ioctl(STDOUT_FILENO, TIOCGWINSZ, &size) == 0 && size.ws_col >= 40) {
    return std::min<int>(size.ws_col, 200);
  }
  return 120;
}

void Output::prepare(const std::vector<std::string>& files) const {
  if (!common_.json.empty() && common_.json != "-") require_writable(common_.json);
  for (const std::string& file : files) {
    if (!file.empty() && file != "-") require_writable(file);
  }
}

void Output::json(const nlohmann::ordered_json& document) {
  if (!common_.json.empty()) file(common_.json, data::dump(document));
}

void Output::file(const std::string& name, std::string bytes) {
  if (name == "-") {
    document_ += bytes;
    stdout_taken_ = true;
  } else {
    files_.emplace_back(name, std::move(bytes));
  }
}

bool Output::has(const std::string& name) const {
  return std::any_of(files_.begin(), files_.end(), [&](const auto& file) { return file.first == name; });
}

void Output::text(const std::string& for_people) { text_ += for_people; }

void Output::note(const std::string& line) const {
  if (!common_.quiet) std::cerr << "weir: " << line << std::endl;
}

void Output::write() {
  for (const auto& [name, bytes] : files_) data::write_file_atomically(name, bytes);
  std::cout << document_;
  if (!stdout_taken_ && !common_.quiet) std::cout << text_;
  std::cout << std::flush;
  if (!std::cout) throw data::SystemError("standard output could not be written");
}

void make_folder(const std::string& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw data::SystemError(folder + ": the folder cannot be made" + (error ? ": " + error.message() : ""));
  }
}

void add_csv(Output& output, const std::string& csv, const reports::Decision& decision) {
  if (csv.empty()) return;
  if (csv == "-" || csv.ends_with(".csv")) {
    output.file(csv, reports::option_table_csv(decision));
    return;
  }
  make_folder(csv);
  for (auto& [name, text] : reports::decision_tables(decision))
    output.file((fs::path(csv) / name).string(), std::move(text));
}

}  // namespace weir::cli
