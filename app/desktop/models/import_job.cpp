#include "app/desktop/models/import_job.h"

#include <QFile>

#include "app/desktop/models/session.h"
#include "data/import/trace_import.h"
#include "sim/workload/trace_source.h"

namespace weir::desktop {
namespace {

std::vector<ColumnPreview> previews(const std::vector<data::ImportedColumn>& columns) {
  std::vector<ColumnPreview> some;
  for (const data::ImportedColumn& column : columns) {
    ColumnPreview preview{QString::fromStdString(column.name), QString::fromStdString(column.meaning), {}};
    for (const std::string& value : column.values) preview.first_values.append(QString::fromStdString(value));
    some.push_back(std::move(preview));
  }
  return some;
}

/// The trace that a scenario's only workload names, if it names one.
std::optional<data::TraceReference> named_trace(const data::Scenario& scenario) {
  for (const data::Workload& workload : scenario.workloads) {
    if (workload.trace) return workload.trace;
    for (const data::RequestClass& c : workload.classes) {
      if (c.trace) return c.trace;
    }
  }
  return std::nullopt;
}

}  // namespace

void ImportJob::start(const QString& file) {
  preview_.reset();
  Job::start([this, file](const data::Progress& progress) -> Take {
    require_worker_thread();
    auto preview = std::make_shared<ImportPreview>();
    std::vector<data::ImportedColumn> columns;
    data::ImportOptions options;
    options.as = "trace";
    options.progress = progress;
    options.columns = &columns;
    preview->file = file;
    preview->trace =
        std::make_shared<const data::Trace>(data::import_trace(QFile::encodeName(file).toStdString(), options));
    preview->columns = previews(columns);
    preview->summary = summarise(*preview->trace);
    return [this, preview] { preview_ = std::make_unique<ImportPreview>(std::move(*preview)); };
  });
}

void ImportJob::accept(Session& session) {
  if (preview_) session.set_trace(preview_->trace);
  preview_.reset();
}

void ImportJob::discard() { preview_.reset(); }

void DemandJob::start(const Session& session) {
  summary_.reset();
  name_.clear();
  Job::start([this, scenario = session.scenario(), trace = session.trace()](const data::Progress& progress) -> Take {
    require_worker_thread();
    std::shared_ptr<const data::Trace> demand = trace;
    if (!demand) {
      if (const auto reference = named_trace(scenario)) {
        demand = std::make_shared<const data::Trace>(sim::find_trace(scenario, *reference, progress));
      }
    }
    if (!demand) return [] {};
    auto summary = std::make_shared<TraceSummary>(summarise(*demand));
    return [this, summary, name = QString::fromStdString(demand->name)] {
      summary_ = std::make_unique<TraceSummary>(std::move(*summary));
      name_ = name;
    };
  });
}

}  // namespace weir::desktop
