#include "app/desktop/models/command_line.h"

#include <QRegularExpression>

namespace weir::desktop {
namespace {

/// As a POSIX shell reads it back.
QString quoted(const QString& word) {
  static const QRegularExpression kPlain(QStringLiteral("^[A-Za-z0-9_./:=@%+,-]+$"));
  if (kPlain.match(word).hasMatch()) return word;
  QString inner = word;
  return QLatin1Char('\'') + inner.replace(QLatin1Char('\''), QStringLiteral("'\\''")) + QLatin1Char('\'');
}

}  // namespace

QString plan_command(const Session& session) {
  if (!session.is_open()) return {};
  const QString scenario = quoted(QString::fromStdString(session.scenario().name));
  if (session.file().isEmpty()) {
    // Trace and calibration are only in a project.
    return session.is_modified() ? QString() : QStringLiteral("weir plan ") + scenario;
  }
  QString command = QStringLiteral("weir plan ") + scenario + QStringLiteral(" --project ") + quoted(session.file());
  if (session.trace()) {
    command += QStringLiteral(" --trace ") + quoted(QString::fromStdString(session.trace()->name));
  }
  if (session.calibration()) {
    command += QStringLiteral(" --calibration ") + quoted(QString::fromStdString(session.calibration()->device_id));
  }
  return command;
}

}  // namespace weir::desktop
