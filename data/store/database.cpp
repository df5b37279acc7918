#include "data/store/database.h"

#include <sqlite3.h>

#include <fstream>
#include <string_view>
#include <system_error>

#include "data/embedded.h"
#include "data/errors.h"

namespace weir::data {
namespace {

constexpr std::int64_t kApplicationId = 0x57656972;  // "Weir" in the SQLite header
constexpr int kBusyTimeoutMs = 2000;                 // a commit of another program is over sooner
constexpr int kReadAttempts = 8;                     // while somebody keeps readers out
constexpr int kReadTimeoutMs = kBusyTimeoutMs / kReadAttempts;

/// Steps from one user_version to the next. A new file takes them all, an older one those it lacks at its next write.
struct Migration {
  std::int64_t to;
  std::string_view sql_file;
};
constexpr Migration kMigrations[] = {{1, "schema/schema.sql"}, {2, "schema/schema-2.sql"}};
constexpr std::int64_t kVersion = std::end(kMigrations)[-1].to;

std::int64_t number(SQLite::Database& database, const char* pragma) {
  return database.execAndGet(std::string("PRAGMA ") + pragma).getInt64();
}

/// Inside a write transaction, so that a killed program leaves the version it found.
void migrate(SQLite::Database& database) {
  const std::int64_t version = number(database, "user_version");
  for (const Migration& step : kMigrations) {
    if (step.to <= version) continue;
    database.exec(std::string(embedded_file(step.sql_file)));
    database.exec("PRAGMA user_version=" + std::to_string(step.to));
  }
}

int primary_code(const SQLite::Exception& error) { return error.getErrorCode() & 0xff; }

/// What SQLite would find out only after taking locks: is this a database at all?
void require_database_file(const std::filesystem::path& file, bool may_create) {
  const std::string name = file.string();
  std::error_code error;
  const std::filesystem::file_status status = std::filesystem::status(file, error);
  if (status.type() == std::filesystem::file_type::not_found) {
    if (may_create) return;
    throw InputError(name, "", "", "there is no such file");
  }
  if (std::filesystem::is_directory(status)) throw InputError(name, "", "", "is a folder, a project file is needed");
  std::ifstream stream(file, std::ios::binary);
  if (!stream) throw SystemError(name + ": cannot be read");
  constexpr std::string_view kMagic("SQLite format 3\0", 16);
  std::string start(kMagic.size(), '\0');
  stream.read(start.data(), static_cast<std::streamsize>(start.size()));
  if (stream.gcount() == 0) {  // also what is left when creation was interrupted
    if (may_create) return;
    throw InputError(name, "", "", "is empty, not a Weir project");
  }
  if (static_cast<std::size_t>(stream.gcount()) != start.size() || start != kMagic) {
    throw InputError(name, "", "", "is not a Weir project");
  }
}

bool exists(const std::string& file) {
  std::error_code error;
  return std::filesystem::exists(file, error);
}

bool is_being_written(const std::string& name) { return exists(name + "-journal") || exists(name + "-wal"); }

/// The file as an SQLite URI that says nobody changes it.
std::string still_file_uri(const std::string& name) {
  std::string uri = "file:";
  for (const char c : name) {
    if (c == '%') {
      uri += "%25";
    } else if (c == '?') {
      uri += "%3f";
    } else if (c == '#') {
      uri += "%23";
    } else {
      uri += c;
    }
  }
  return uri + "?immutable=1";
}

/// Ends the open transaction of a connection unless it was committed.
class Rollback {
 public:
  explicit Rollback(SQLite::Database& database) : database_(database) {}
  Rollback(const Rollback&) = delete;
  Rollback& operator=(const Rollback&) = delete;
  ~Rollback() {
    if (sqlite3_get_autocommit(database_.getHandle()) == 0) database_.tryExec("ROLLBACK");
  }

 private:
  SQLite::Database& database_;
};

}  // namespace

ProjectDatabase::ProjectDatabase(const std::filesystem::path& file, Access access)
    : name_(file.string()), read_only_(access == Access::read_only) {
  require_database_file(file, access == Access::create);
  try {
    if (read_only_ && exists(name_ + "-journal")) roll_back_interrupted_write();
    open(access);
    if (access == Access::create) create_tables();
  } catch (const SQLite::Exception& error) {
    translate(error, access == Access::create);
  }
  require_project();
}

void ProjectDatabase::open(Access access) {
  int flags = access == Access::read_only ? SQLite::OPEN_READONLY : SQLite::OPEN_READWRITE;
  if (access == Access::create) flags |= SQLite::OPEN_CREATE;
  database_ = std::make_unique<SQLite::Database>(name_, flags, kBusyTimeoutMs);
  // Dirty pages stay in memory until the commit, so that readers are shut out for that moment only.
  database_->exec("PRAGMA cache_spill=0; PRAGMA trusted_schema=0;");
}

/// Reading alone cannot undo the write that a killed program left behind. The journal of a program that is alive is
/// left alone: SQLite sees its lock.
void ProjectDatabase::roll_back_interrupted_write() {
  try {
    SQLite::Database writer(name_, SQLite::OPEN_READWRITE, kBusyTimeoutMs);
    writer.execAndGet("SELECT count(*) FROM sqlite_master");
  } catch (const SQLite::Exception&) {  // reading will say what is wrong
  }
}

void ProjectDatabase::create_tables() {
  database_->exec("PRAGMA journal_mode=DELETE");
  const Rollback rollback(*database_);
  if (number(*database_, "application_id") != 0 || number(*database_, "user_version") != 0 ||
      database_->execAndGet("SELECT count(*) FROM sqlite_master").getInt() != 0) {
    return;  // exists already
  }
  database_->exec("BEGIN IMMEDIATE");
  migrate(*database_);  // nothing to do if somebody was faster
  database_->exec("PRAGMA application_id=" + std::to_string(kApplicationId));
  database_->exec("COMMIT");
}

void ProjectDatabase::require_project() const {
  std::int64_t application = 0, version = 0;
  read([&](SQLite::Database& database) {
    application = number(database, "application_id");
    version = number(database, "user_version");
  });
  if (application != kApplicationId) {
    throw InputError(name_, "", "", "is an SQLite database of another program, not a Weir project");
  }
  if (version > kVersion) {
    throw InputError(name_, "", "",
                     "was written by a newer version of Weir (project version " + std::to_string(version) +
                         "; this one reads up to " + std::to_string(kVersion) + ")");
  }
  if (version < 1) damaged("it has no version");
}

void ProjectDatabase::write(const std::function<void(SQLite::Database&)>& work) {
  if (read_only_) throw SystemError(name_ + ": is open for reading only");
  if (sqlite3_db_readonly(database_->getHandle(), "main") == 1) throw SystemError(name_ + ": is write-protected");
  try {
    database_->setBusyTimeout(kBusyTimeoutMs);
    const Rollback rollback(*database_);
    database_->exec("BEGIN IMMEDIATE");
    migrate(*database_);
    work(*database_);
    database_->exec("COMMIT");
  } catch (const SQLite::Exception& error) {
    translate(error, true);
  }
}

void ProjectDatabase::read(const std::function<void(SQLite::Database&)>& work) const {
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    try {
      database_->setBusyTimeout(kReadTimeoutMs);
      const Rollback rollback(*database_);
      database_->exec("BEGIN");
      work(*database_);
      return;
    } catch (const SQLite::Exception& error) {
      if (primary_code(error) != SQLITE_BUSY) translate(error, false);
    }
    if (read_past_lock(work)) return;
  }
  throw SystemError(name_ + ": is locked by another program");
}

/// Another program keeps even readers out. As long as it has written nothing (no journal, the file unchanged before and
/// after) the file is whole, and is read past the lock.
bool ProjectDatabase::read_past_lock(const std::function<void(SQLite::Database&)>& work) const {
  using Stamp = std::pair<std::filesystem::file_time_type, std::uintmax_t>;
  const auto stamp = [&] { return Stamp(std::filesystem::last_write_time(name_), std::filesystem::file_size(name_)); };
  Stamp before;
  try {
    before = stamp();
    if (is_being_written(name_)) return false;
    SQLite::Database still(still_file_uri(name_), SQLite::OPEN_READONLY | SQLite::OPEN_URI);
    work(still);
    return !is_being_written(name_) && stamp() == before;
  } catch (const SQLite::Exception&) {  // torn by a write: the lock is the answer
    return false;
  } catch (const std::filesystem::filesystem_error&) {
    return false;
  } catch (const InputError&) {  // damage is damage only if nobody was writing meanwhile
    if (is_being_written(name_) || stamp() != before) return false;
    throw;
  }
}

void ProjectDatabase::copy_into(const std::filesystem::path& empty_file, const std::string& target) const {
  const auto copy = [&](SQLite::Database& database) {
    SQLite::Statement vacuum(database, "VACUUM INTO ?");
    vacuum.bind(1, empty_file.string());
    vacuum.exec();
  };
  for (int attempt = 0; attempt < kReadAttempts; ++attempt) {
    try {
      database_->setBusyTimeout(kReadTimeoutMs);
      copy(*database_);
      return;
    } catch (const SQLite::Exception& error) {
      if (primary_code(error) == SQLITE_FULL) throw SystemError(target + ": the disk is full; nothing was written");
      if (primary_code(error) != SQLITE_BUSY) translate(error, false);
    }
    std::filesystem::resize_file(empty_file, 0);  // what a failed attempt began
    if (read_past_lock(copy)) return;
    std::filesystem::resize_file(empty_file, 0);
  }
  throw SystemError(name_ + ": is locked by another program");
}

ProjectDatabase::Hold::Hold(const std::filesystem::path& file) {
  try {
    database_ = std::make_unique<SQLite::Database>(file.string(), SQLite::OPEN_READWRITE, kBusyTimeoutMs);
    database_->exec("BEGIN EXCLUSIVE");  // also undoes what a killed program left half done
  } catch (const SQLite::Exception& error) {
    database_.reset();
    if (primary_code(error) == SQLITE_BUSY) {
      throw SystemError(file.string() + ": is locked by another program; nothing was written");
    }
  }
}

ProjectDatabase::Hold::~Hold() = default;

void ProjectDatabase::damaged(const std::string& what) const {
  throw InputError(name_, "", "", "the project is damaged: " + what);
}

void ProjectDatabase::translate(const SQLite::Exception& error, bool writing) const {
  switch (primary_code(error)) {
    case SQLITE_BUSY:
    case SQLITE_LOCKED:
      throw SystemError(name_ + ": is locked by another program" + (writing ? "; nothing was written" : ""));
    case SQLITE_READONLY:
    case SQLITE_PERM:
    case SQLITE_CANTOPEN:
      if (!writing && exists(name_ + "-journal")) {
        throw SystemError(name_ +
                          ": a write to it was interrupted and cannot be undone here: copy it and its -journal file "
                          "to a folder that can be written");
      }
      throw SystemError(name_ +
                        (writing ? ": cannot be written: the file or its folder refuses" : ": cannot be opened"));
    case SQLITE_FULL:
      throw SystemError(name_ + ": the disk is full; nothing was written");
    case SQLITE_NOTADB:
      throw InputError(name_, "", "", "is not a Weir project");
    case SQLITE_CORRUPT:
    case SQLITE_ERROR:  // a table or column that is not there
    case SQLITE_CONSTRAINT:
      damaged(error.what());
    default:
      throw SystemError(name_ + ": " + error.what());
  }
}

}  // namespace weir::data
