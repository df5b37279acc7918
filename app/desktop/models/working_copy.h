#pragma once

#include <QDateTime>
#include <QString>
#include <memory>
#include <optional>
#include <vector>

#include "data/store/project.h"

namespace weir::desktop {

/// A working copy that an ended program left behind.
struct RecoverableCopy {
  QString copy;      ///< the copy itself, in the state folder
  QString original;  ///< what it was a copy of; empty: never saved
  QDateTime changed;
};

/// The project that is being edited: a copy in the state folder ($XDG_STATE_HOME/weir/open, or the folder given), so
/// that a killed program loses nothing and the saved file stays as it was saved. A lock file beside the copy tells a
/// living window from a dead one.
class WorkingCopy {
 public:
  /// An empty project, or a copy of `original`. Throws data::InputError, data::SystemError.
  static std::unique_ptr<WorkingCopy> create(const QString& original = {});
  static std::unique_ptr<WorkingCopy> adopt(const RecoverableCopy& copy);
  ~WorkingCopy();  ///< removes the copy: whoever wants it kept saves first

  data::Project& project();
  /// Writes a temporary beside `target` (VACUUM INTO), syncs and renames it: `target` is always a whole project.
  void save_to(const QString& target);

  /// Notes, for recoverable(), that the copy holds more than its original. save_to clears it.
  void set_modified(bool modified);
  bool is_modified() const;
  QString original() const;  ///< empty: never saved; save_to sets it

  /// $XDG_STATE_HOME/weir (default ~/.local/state/weir).
  static QString state_folder();
  /// Copies with unsaved changes whose program is gone, newest first. `discard` removes one.
  static std::vector<RecoverableCopy> recoverable();
  static void discard(const RecoverableCopy& copy);

 private:
  struct State;
  explicit WorkingCopy(std::unique_ptr<State> state);
  std::unique_ptr<State> state_;
};

}  // namespace weir::desktop
