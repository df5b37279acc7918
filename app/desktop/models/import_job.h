#pragma once

#include <QString>
#include <QStringList>
#include <memory>
#include <vector>

#include "app/desktop/models/job.h"
#include "app/desktop/models/trace_summary.h"
#include "data/trace.h"

namespace weir::desktop {

class Session;

struct ColumnPreview {
  QString name;              ///< as the file writes it
  QString meaning;           ///< English: "arrival time", "input tokens", ...; empty = not used
  QStringList first_values;  ///< of the first rows, at most 5
};

/// What a file would bring. Row counts, refused rows and warnings stand in `trace`.
struct ImportPreview {
  QString file;
  std::shared_ptr<const data::Trace> trace;
  std::vector<ColumnPreview> columns;
  TraceSummary summary;
};

/// Reads a dropped or opened trace; nothing enters the project until accept().
class ImportJob : public Job {
  Q_OBJECT

 public:
  using Job::Job;

  void start(const QString& file);
  const ImportPreview* preview() const { return preview_.get(); }  ///< nullptr before finished()
  void accept(Session& session);  ///< makes the trace the project's demand: one undo step
  void discard();

 private:
  std::unique_ptr<ImportPreview> preview_;
};

/// Summary of the demand that the session's project has now: its trace, else the one its scenario names. Demand drawn
/// from a process has none: summary() is then nullptr after finished().
class DemandJob : public Job {
  Q_OBJECT

 public:
  using Job::Job;

  void start(const Session& session);
  const TraceSummary* summary() const { return summary_.get(); }
  QString name() const { return name_; }  ///< of the trace

 private:
  std::unique_ptr<TraceSummary> summary_;
  QString name_;
};

}  // namespace weir::desktop
