#pragma once

#include <QObject>
#include <vector>

#include "app/desktop/models/export_job.h"
#include "app/desktop/models/import_job.h"
#include "app/desktop/models/machine_jobs.h"
#include "app/desktop/models/planner.h"
#include "app/desktop/models/recent_files.h"
#include "app/desktop/models/session.h"
#include "app/desktop/models/settings.h"
#include "app/desktop/views/explanation.h"

namespace weir::desktop {

enum class PageId { start, workload, hardware, costs, decision };

/// All that lives longer than the widgets: the project, what works for it, what the user chose. Widgets are made anew
/// when the language changes; this stays. Pages say here what they want done, the window does it.
class Workbench : public QObject {
  Q_OBJECT

 public:
  /// Files that keep settings and recent projects; empty: those of the user. Tests name their own.
  explicit Workbench(const QString& settings_file = {}, const QString& recent_file = {});

  Settings settings;
  Session session;
  Planner planner;
  RecentFiles recent;
  ImportJob import;
  DemandJob demand;
  ProbeJob probe;
  DoctorJob doctor;
  ExportJob exporter;

  QString importing_file;  ///< name of the file that `import` reads or has read
  QString import_problem;  ///< why it could not be read

 signals:
  void template_requested(const QString& name);
  void open_requested(const QString& file);  ///< empty: ask which
  void recover_requested(const RecoverableCopy& copy);
  void import_requested(const QString& file);  ///< empty: ask which
  void export_requested(ExportFormat format);
  void page_requested(PageId page);
  void explained(const Explanation& explanation);
  void failed(const QString& what, const QString& why);  ///< shown in place, above the page
};

/// Makes one change of the scenario as one undo step. Empty, or why it was refused, in the language of the interface.
QString try_edit(Session& session, const QString& text, const QString& merge_key,
                 const std::function<void(data::Scenario&)>& change);

}  // namespace weir::desktop
