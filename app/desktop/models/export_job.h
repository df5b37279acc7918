#pragma once

#include <QString>
#include <memory>

#include "app/desktop/models/job.h"
#include "reports/language.h"
#include "reports/report.h"

namespace weir::desktop {

enum class ExportFormat { pdf, xlsx, csv_table, csv_tables, html, json };

/// "pdf", "xlsx", ...; empty for csv_tables, whose target is a folder.
QString suffix_of(ExportFormat format);
/// False when this build lacks the library that the format needs.
bool can_export(ExportFormat format);

/// Writes a decision beside the window: each file is the old or the new one, never half of one.
class ExportJob : public Job {
  Q_OBJECT

 public:
  using Job::Job;

  /// `target` is a file; a folder (made when missing) for csv_tables.
  void start(ExportFormat format, const QString& target, std::shared_ptr<const reports::Decision> decision,
             reports::Language language);
  QString target() const { return target_; }

 private:
  QString target_;
};

}  // namespace weir::desktop
