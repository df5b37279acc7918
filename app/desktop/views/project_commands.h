#pragma once

#include <QObject>

#include "app/desktop/views/workbench.h"

class QWidget;

namespace weir::desktop {

/// What the File menu does: asks where it must, keeps what would be lost, reports failures through the workbench.
class ProjectCommands : public QObject {
  Q_OBJECT

 public:
  ProjectCommands(Workbench& bench, QWidget* window);

  /// True when the open project may be left: unmodified, saved now, or given up by the user.
  bool may_leave();
  bool new_from_template(const QString& name);
  bool open(const QString& file);  ///< empty: asks
  bool recover(const RecoverableCopy& copy);
  bool save();
  bool save_to(const QString& file);
  bool save_as();  ///< asks
  void close();
  void import_trace(const QString& file);  ///< empty: asks
  /// A dropped file: a project is opened, anything else is looked at as a trace.
  void take_file(const QString& file);
  void export_result(ExportFormat format);  ///< asks where
  void export_to(ExportFormat format, const QString& target);
  void copy_as_command();

 signals:
  void status(const QString& text);

 private:
  template <class Work>
  bool attempt(const QString& what, Work work);
  QString folder() const;
  void remember_folder(const QString& file);

  Workbench& bench_;
  QWidget* window_;
};

}  // namespace weir::desktop
