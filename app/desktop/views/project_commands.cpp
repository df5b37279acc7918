#include "app/desktop/views/project_commands.h"

#include <QApplication>
#include <QClipboard>
#include <QFileDialog>
#include <QFileInfo>
#include <QMessageBox>
#include <QPushButton>
#include <QStandardPaths>

#include "app/desktop/models/command_line.h"
#include "app/desktop/views/ui_language.h"
#include "reports/error_text.h"

namespace weir::desktop {
namespace {

QString project_filter() { return QObject::tr("Weir projects") + QStringLiteral(" (*.weir)"); }

QString trace_filter() {
  return QObject::tr("Traffic traces") + QStringLiteral(" (*.csv *.jsonl *.json *.gz);;") + QObject::tr("All files") +
         QStringLiteral(" (*)");
}

}  // namespace

ProjectCommands::ProjectCommands(Workbench& bench, QWidget* window) : QObject(window), bench_(bench), window_(window) {
  connect(&bench_.exporter, &Job::finished, this,
          [this] { emit status(tr("Written: %1").arg(QFileInfo(bench_.exporter.target()).fileName())); });
  connect(&bench_.exporter, &Job::failed, this, [this](const QString& message) {
    emit bench_.failed(tr("The report could not be written."), in_ui_language(message));
  });
}

template <class Work>
bool ProjectCommands::attempt(const QString& what, Work work) {
  try {
    work();
    return true;
  } catch (const std::exception& error) {
    emit bench_.failed(what, QString::fromStdString(reports::error_text(ui_language(), error)));
    return false;
  }
}

QString ProjectCommands::folder() const {
  const QString last = bench_.settings.last_folder();
  return last.isEmpty() ? QStandardPaths::writableLocation(QStandardPaths::DocumentsLocation) : last;
}

void ProjectCommands::remember_folder(const QString& file) {
  bench_.settings.set_last_folder(QFileInfo(file).absolutePath());
}

bool ProjectCommands::may_leave() {
  if (!bench_.session.is_open() || !bench_.session.is_modified()) return true;
  QMessageBox box(QMessageBox::NoIcon, tr("Weir"), tr("Save the changes to %1?").arg(bench_.session.display_name()),
                  QMessageBox::NoButton, window_);
  box.setInformativeText(tr("Without saving they are lost."));
  QPushButton* keep = box.addButton(tr("&Save"), QMessageBox::AcceptRole);
  QPushButton* drop = box.addButton(tr("&Discard"), QMessageBox::DestructiveRole);
  box.addButton(tr("&Cancel"), QMessageBox::RejectRole);
  keep->setProperty("primary", true);
  box.setDefaultButton(keep);
  box.exec();
  if (box.clickedButton() == keep) return save();
  return box.clickedButton() == drop;
}

bool ProjectCommands::new_from_template(const QString& name) {
  if (!may_leave()) return false;
  return attempt(tr("The template could not be opened."), [&] {
    bench_.session.new_from_template(name);
    emit bench_.page_requested(PageId::decision);
  });
}

bool ProjectCommands::open(const QString& file) {
  if (!may_leave()) return false;
  const QString chosen =
      file.isEmpty() ? QFileDialog::getOpenFileName(window_, tr("Open project"), folder(), project_filter()) : file;
  if (chosen.isEmpty()) return false;
  return attempt(tr("%1 could not be opened.").arg(QFileInfo(chosen).fileName()), [&] {
    bench_.session.open(chosen);
    remember_folder(chosen);
    emit bench_.page_requested(PageId::decision);
  });
}

bool ProjectCommands::recover(const RecoverableCopy& copy) {
  if (!may_leave()) return false;
  return attempt(tr("The working copy could not be opened."), [&] {
    bench_.session.recover(copy);
    emit bench_.page_requested(PageId::decision);
  });
}

bool ProjectCommands::save() {
  if (!bench_.session.is_open()) return false;
  if (bench_.session.file().isEmpty()) return save_as();
  return attempt(tr("%1 could not be saved.").arg(bench_.session.display_name()), [&] {
    bench_.session.save();
    emit status(tr("Saved: %1").arg(bench_.session.display_name()));
  });
}

bool ProjectCommands::save_to(const QString& file) {
  return attempt(tr("%1 could not be saved.").arg(QFileInfo(file).fileName()), [&] {
    bench_.session.save_as(file);
    remember_folder(file);
    emit status(tr("Saved: %1").arg(bench_.session.display_name()));
  });
}

bool ProjectCommands::save_as() {
  if (!bench_.session.is_open()) return false;
  const QString name = QString::fromStdString(bench_.session.scenario().name) + QStringLiteral(".weir");
  QString file =
      QFileDialog::getSaveFileName(window_, tr("Save project"), folder() + QLatin1Char('/') + name, project_filter());
  if (file.isEmpty()) return false;
  if (QFileInfo(file).suffix().isEmpty()) file += QStringLiteral(".weir");
  return save_to(file);
}

void ProjectCommands::close() {
  if (!bench_.session.is_open() || !may_leave()) return;
  bench_.session.close();
  emit bench_.page_requested(PageId::start);
}

void ProjectCommands::import_trace(const QString& file) {
  const QString chosen =
      file.isEmpty() ? QFileDialog::getOpenFileName(window_, tr("Import trace"), folder(), trace_filter()) : file;
  if (chosen.isEmpty()) return;
  if (!bench_.session.is_open() && !new_from_template(QStringLiteral("llm-chat"))) return;
  if (bench_.import.is_running()) {
    return emit bench_.failed(tr("Another trace is still being read."), tr("Wait for it or cancel it first."));
  }
  remember_folder(chosen);
  bench_.importing_file = QFileInfo(chosen).fileName();
  bench_.import_problem.clear();
  bench_.import.discard();
  bench_.import.start(chosen);
  emit bench_.page_requested(PageId::workload);
}

void ProjectCommands::take_file(const QString& file) {
  if (file.endsWith(QStringLiteral(".weir"), Qt::CaseInsensitive)) {
    open(file);
  } else {
    import_trace(file);
  }
}

void ProjectCommands::export_result(ExportFormat format) {
  if (!bench_.session.result()) return;
  const QString name = QString::fromStdString(bench_.session.scenario().name);
  const QString title = tr("Export result");
  QString target;
  if (format == ExportFormat::csv_tables) {
    target = QFileDialog::getExistingDirectory(window_, title, folder());
  } else {
    const QString suffix = suffix_of(format);
    target = QFileDialog::getSaveFileName(
        window_, title, folder() + QLatin1Char('/') + name + QLatin1Char('.') + suffix, QStringLiteral("*.") + suffix);
    if (!target.isEmpty() && QFileInfo(target).suffix().isEmpty()) target += QLatin1Char('.') + suffix;
  }
  if (!target.isEmpty()) export_to(format, target);
}

void ProjectCommands::export_to(ExportFormat format, const QString& target) {
  if (!bench_.session.result() || bench_.exporter.is_running()) return;
  remember_folder(target);
  emit status(tr("Writing %1…").arg(QFileInfo(target).fileName()));
  bench_.exporter.start(format, target, bench_.session.result(), ui_language());
}

void ProjectCommands::copy_as_command() {
  const QString command = plan_command(bench_.session);
  if (command.isEmpty()) {
    return emit bench_.failed(tr("There is no command for this project yet."),
                              tr("Save the project first: the command names its file."));
  }
  QApplication::clipboard()->setText(command);
  emit status(tr("Copied: %1").arg(command));
}

}  // namespace weir::desktop
