#pragma once

#include <filesystem>
#include <memory>
#include <optional>
#include <string>
#include <vector>

#include "data/trace.h"

namespace weir::data {

/// One JSON text of a project.
struct Document {
  std::string kind, name, json;
};

/// The project file: one SQLite database (application id, user_version; data/schema/schema.sql). Each write method is
/// one transaction. Errors: a newer version or a file that is no project is an InputError; a locked or read-only file
/// is a SystemError on writing only (reading works).
class Project {
 public:
  /// create makes the file when it is not there (or empty) and opens it for writing when it is.
  enum class Mode { read_only, read_write, create };
  static Project open(const std::filesystem::path& file, Mode mode);
  Project(Project&&) noexcept;
  Project& operator=(Project&&) noexcept;
  ~Project();

  /// Documents are JSON texts: kind "scenario", "calibration", "run", "plan". A name is replaced.
  void put_document(const std::string& kind, const std::string& name, const std::string& json);
  void put_documents(const std::vector<Document>& documents);  ///< all of them or none
  void remove_document(const std::string& kind, const std::string& name);
  std::optional<std::string> document(const std::string& kind, const std::string& name) const;
  std::vector<std::string> document_names(const std::string& kind) const;

  void put_trace(const Trace& trace);
  std::optional<Trace> trace(const std::string& name) const;
  std::vector<std::string> trace_names() const;
  void remove_trace(const std::string& name);

  /// Writes all of it into a file of its own (journal_mode=DELETE, permissions of the file it replaces): a temporary
  /// beside `target`, synced and renamed, so that `target` is the old project or the new one whenever the program is
  /// killed. Throws SystemError with one line when it cannot be written or another program has `target` locked.
  void save_copy_to(const std::filesystem::path& target) const;

 private:
  struct State;
  explicit Project(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::data
