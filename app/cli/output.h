#pragma once

#include <nlohmann/json_fwd.hpp>
#include <string>
#include <utility>
#include <vector>

#include "app/cli/common_options.h"
#include "reports/report.h"

namespace weir::cli {

/// Columns of the terminal; 120 in a pipe.
int terminal_width();

/// Collects what a command gives and writes it at the end: first every file, each atomically, then stdout. A place that
/// cannot be written is found before the long work when `prepare` is called first.
class Output {
 public:
  explicit Output(const CommonOptions& common) : common_(common) {}

  /// Throws SystemError when a file named in the options could not be written.
  void prepare(const std::vector<std::string>& files) const;
  void json(const nlohmann::ordered_json& document);      ///< to --json, if it was given
  void file(const std::string& name, std::string bytes);  ///< "-" is stdout
  bool has(const std::string& name) const;                ///< a file of this name was given
  void text(const std::string& for_people);               ///< not shown when stdout carries a document, or with --quiet
  void note(const std::string& line) const;               ///< one line on stderr, at once; not with --quiet
  /// Throws SystemError.
  void write();

 private:
  CommonOptions common_;
  std::vector<std::pair<std::string, std::string>> files_;
  std::string document_, text_;
  bool stdout_taken_ = false;
};

/// --csv: a name that ends in .csv gets the option table, anything else is a folder that gets every table.
void add_csv(Output& output, const std::string& csv, const reports::Decision& decision);
/// Throws SystemError when the folder cannot be made.
void make_folder(const std::string& folder);

}  // namespace weir::cli
