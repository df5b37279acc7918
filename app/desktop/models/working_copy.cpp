#include "app/desktop/models/working_copy.h"

#include <fcntl.h>
#include <sys/file.h>
#include <unistd.h>

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <QUuid>
#include <algorithm>

#include "data/errors.h"

namespace weir::desktop {
namespace {

const QString kCopySuffix = QStringLiteral(".weir");
const QString kLockSuffix = QStringLiteral(".lock");
const QString kNoteSuffix = QStringLiteral(".json");

/// The lock of a copy: the kernel lets go of it when its program ends, however it ends.
class Lock {
 public:
  explicit Lock(const QString& file)
      : descriptor_(::open(QFile::encodeName(file).constData(), O_RDWR | O_CREAT | O_CLOEXEC, 0600)) {
    if (descriptor_ >= 0 && ::flock(descriptor_, LOCK_EX | LOCK_NB) != 0) {
      ::close(descriptor_);
      descriptor_ = -1;
    }
  }
  Lock(Lock&& other) noexcept : descriptor_(std::exchange(other.descriptor_, -1)) {}
  Lock(const Lock&) = delete;
  Lock& operator=(const Lock&) = delete;
  ~Lock() {
    if (descriptor_ >= 0) ::close(descriptor_);
  }
  bool held() const { return descriptor_ >= 0; }

 private:
  int descriptor_;
};

QString copies_folder() { return WorkingCopy::state_folder() + QStringLiteral("/open"); }

QString stem_of(const QString& copy) { return copy.chopped(kCopySuffix.size()); }

std::filesystem::path path_of(const QString& file) { return QFile::encodeName(file).toStdString(); }

/// What stands beside a copy: where it comes from, and whether it holds more than that.
struct Note {
  QString original;
  bool modified = false;
};

void write_note(const QString& stem, const Note& note) {
  QSaveFile file(stem + kNoteSuffix);
  const QJsonObject json{{QStringLiteral("original"), note.original}, {QStringLiteral("modified"), note.modified}};
  if (!file.open(QIODevice::WriteOnly) || file.write(QJsonDocument(json).toJson()) < 0 || !file.commit()) {
    throw data::SystemError(file.fileName().toStdString() + ": cannot be written: " + file.errorString().toStdString());
  }
}

Note read_note(const QString& stem) {
  QFile file(stem + kNoteSuffix);
  if (!file.open(QIODevice::ReadOnly)) return {};
  const QJsonObject json = QJsonDocument::fromJson(file.readAll()).object();
  return {json.value(QStringLiteral("original")).toString(), json.value(QStringLiteral("modified")).toBool()};
}

/// The lock goes last: without it the rest would look like the copy of a dead program.
void remove_files(const QString& stem) {
  const QString journal = kCopySuffix + QStringLiteral("-journal");
  for (const QString& suffix : {kCopySuffix, journal, kNoteSuffix, kLockSuffix}) QFile::remove(stem + suffix);
}

QString make_copies_folder() {
  QString folder = copies_folder();
  if (!QDir().mkpath(folder)) throw data::SystemError(folder.toStdString() + ": the folder cannot be made");
  // Projects may be confidential: the state folder is the user's own.
  QFile::setPermissions(folder, QFile::ReadOwner | QFile::WriteOwner | QFile::ExeOwner);
  return folder;
}

}  // namespace

struct WorkingCopy::State {
  QString stem;
  Lock lock;
  Note note;
  std::optional<data::Project> project;
  ~State() {
    project.reset();
    remove_files(stem);
  }
};

WorkingCopy::WorkingCopy(std::unique_ptr<State> state) : state_(std::move(state)) {}
WorkingCopy::~WorkingCopy() = default;

std::unique_ptr<WorkingCopy> WorkingCopy::create(const QString& original) {
  const QString stem = make_copies_folder() + QLatin1Char('/') + QUuid::createUuid().toString(QUuid::WithoutBraces);
  auto state = std::unique_ptr<State>(new State{stem, Lock(stem + kLockSuffix), {}, std::nullopt});
  if (!state->lock.held()) throw data::SystemError(stem.toStdString() + ": the lock file cannot be written");
  const QString copy = stem + kCopySuffix;
  if (!original.isEmpty()) {
    state->note.original = QFileInfo(original).absoluteFilePath();
    data::Project::open(path_of(original), data::Project::Mode::read_only).save_copy_to(path_of(copy));
  }
  write_note(stem, state->note);
  const auto mode = original.isEmpty() ? data::Project::Mode::create : data::Project::Mode::read_write;
  state->project = data::Project::open(path_of(copy), mode);
  return std::unique_ptr<WorkingCopy>(new WorkingCopy(std::move(state)));
}

std::unique_ptr<WorkingCopy> WorkingCopy::adopt(const RecoverableCopy& copy) {
  const QString stem = stem_of(copy.copy);
  Lock lock(stem + kLockSuffix);
  if (!lock.held()) {
    throw data::SystemError(copy.copy.toStdString() + ": is open in another window");
  }
  auto project = data::Project::open(path_of(copy.copy), data::Project::Mode::read_write);
  auto state = std::unique_ptr<State>(new State{stem, std::move(lock), read_note(stem), std::nullopt});
  state->project = std::move(project);
  return std::unique_ptr<WorkingCopy>(new WorkingCopy(std::move(state)));
}

data::Project& WorkingCopy::project() { return *state_->project; }

void WorkingCopy::save_to(const QString& target) {
  state_->project->save_copy_to(path_of(target));
  state_->note = {QFileInfo(target).absoluteFilePath(), false};
  write_note(state_->stem, state_->note);
}

void WorkingCopy::set_modified(bool modified) {
  if (state_->note.modified == modified) return;
  Note note = state_->note;
  note.modified = modified;
  write_note(state_->stem, note);
  state_->note = note;
}

bool WorkingCopy::is_modified() const { return state_->note.modified; }
QString WorkingCopy::original() const { return state_->note.original; }

QString WorkingCopy::state_folder() {
  QString base = qEnvironmentVariable("XDG_STATE_HOME");
  // The specification says that a relative one is to be ignored.
  if (!QDir::isAbsolutePath(base)) base = QDir::homePath() + QStringLiteral("/.local/state");
  return base + QStringLiteral("/weir");
}

std::vector<RecoverableCopy> WorkingCopy::recoverable() {
  std::vector<RecoverableCopy> found;
  const QDir folder(copies_folder());
  const QFileInfoList copies = folder.entryInfoList({QLatin1Char('*') + kCopySuffix}, QDir::Files | QDir::Hidden);
  for (const QFileInfo& copy : copies) {
    const QString stem = stem_of(copy.absoluteFilePath());
    const Lock lock(stem + kLockSuffix);
    if (!lock.held()) continue;  // its window lives
    const Note note = read_note(stem);
    if (note.modified) {
      found.push_back({copy.absoluteFilePath(), note.original, copy.lastModified()});
    } else {
      remove_files(stem);  // nothing in it that its original does not have
    }
  }
  std::sort(found.begin(), found.end(), [](const auto& a, const auto& b) { return a.changed > b.changed; });
  return found;
}

void WorkingCopy::discard(const RecoverableCopy& copy) {
  const QString stem = stem_of(copy.copy);
  const Lock lock(stem + kLockSuffix);
  if (lock.held()) remove_files(stem);
}

}  // namespace weir::desktop
