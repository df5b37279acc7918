#include "app/desktop/models/export_job.h"

#include <QDir>
#include <QFile>
#include <filesystem>
#include <nlohmann/json.hpp>

#include "data/errors.h"
#include "data/json_io.h"
#include "reports/csv.h"
#include "reports/paper.h"

namespace weir::desktop {
namespace {

namespace fs = std::filesystem;

std::string text_of(ExportFormat format, const reports::Decision& decision, reports::Language language) {
  switch (format) {
    case ExportFormat::pdf:
      return reports::decision_pdf(decision, language);
    case ExportFormat::xlsx:
      return reports::decision_xlsx(decision, language);
    case ExportFormat::html:
      return reports::decision_html(decision, language);
    case ExportFormat::json:
      return data::dump(reports::to_json(decision));
    case ExportFormat::csv_table:
    case ExportFormat::csv_tables:
      break;
  }
  return reports::option_table_csv(decision);
}

void make_folder(const fs::path& folder) {
  std::error_code error;
  fs::create_directories(folder, error);
  if (!fs::is_directory(folder)) {
    throw data::SystemError(folder.string() + ": the folder cannot be made" +
                            (error ? ": " + error.message() : std::string()));
  }
}

}  // namespace

QString suffix_of(ExportFormat format) {
  switch (format) {
    case ExportFormat::pdf:
      return QStringLiteral("pdf");
    case ExportFormat::xlsx:
      return QStringLiteral("xlsx");
    case ExportFormat::html:
      return QStringLiteral("html");
    case ExportFormat::json:
      return QStringLiteral("json");
    case ExportFormat::csv_table:
      return QStringLiteral("csv");
    case ExportFormat::csv_tables:
      break;
  }
  return {};
}

bool can_export(ExportFormat format) {
  if (format == ExportFormat::pdf) return reports::can_write_pdf();
  return format != ExportFormat::xlsx || reports::can_write_xlsx();
}

void ExportJob::start(ExportFormat format, const QString& target, std::shared_ptr<const reports::Decision> decision,
                      reports::Language language) {
  if (!decision) throw std::logic_error("an export needs a result");
  target_ = target;
  const fs::path path = QFile::encodeName(target).toStdString();
  Job::start([format, path, decision = std::move(decision), language](const data::Progress& progress) -> Take {
    require_worker_thread();
    if (!progress(0, "writing " + path.filename().string())) throw data::Cancelled();
    if (format == ExportFormat::csv_tables) {
      const auto tables = reports::decision_tables(*decision);
      make_folder(path);
      for (const auto& [name, text] : tables) data::write_file_atomically(path / name, text);
      return {};
    }
    const std::string text = text_of(format, *decision, language);
    if (!progress(0.9, "writing " + path.filename().string())) throw data::Cancelled();
    data::write_file_atomically(path, text);
    return {};
  });
}

}  // namespace weir::desktop
