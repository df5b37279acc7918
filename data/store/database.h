#pragma once

#include <SQLiteCpp/SQLiteCpp.h>

#include <cstdint>
#include <filesystem>
#include <functional>
#include <memory>
#include <string>

namespace weir::data {

/// The SQLite file below a project: opening, creating, locking and what its failures mean to the user.
class ProjectDatabase {
 public:
  enum class Access { read_only, read_write, create };
  ProjectDatabase(const std::filesystem::path& file, Access access);

  /// Runs the work in one write transaction. Throws SystemError when the file is locked or cannot be written.
  void write(const std::function<void(SQLite::Database&)>& work);
  /// Runs the work on one state of the file; again from the start when the first attempt met a lock.
  void read(const std::function<void(SQLite::Database&)>& work) const;
  /// Writes one state of the file, packed, into `empty_file` (VACUUM INTO); it keeps application id and version.
  /// `target` names the place in errors.
  void copy_into(const std::filesystem::path& empty_file, const std::string& target) const;
  /// Keeps other programs from writing as long as it lives. Throws SystemError when one of them is at it.
  class Hold {
   public:
    explicit Hold(const std::filesystem::path& file);
    ~Hold();
    Hold(const Hold&) = delete;
    Hold& operator=(const Hold&) = delete;

   private:
    std::unique_ptr<SQLite::Database> database_;  ///< empty: the file is no database, nothing to hold
  };
  [[noreturn]] void damaged(const std::string& what) const;

 private:
  void open(Access access);
  void require_project() const;
  bool read_past_lock(const std::function<void(SQLite::Database&)>& work) const;
  void create_tables();
  void roll_back_interrupted_write();
  [[noreturn]] void translate(const SQLite::Exception& error, bool writing) const;

  std::string name_;
  bool read_only_;
  std::unique_ptr<SQLite::Database> database_;
};

}  // namespace weir::data
