#pragma once

#include <QByteArray>
#include <QObject>
#include <QString>
#include <memory>
#include <optional>

#include "reports/language.h"

class QSettings;

namespace weir::desktop {

enum class ThemeChoice { system, light, dark };

/// What the program remembers of its user, in $XDG_CONFIG_HOME/weir/desktop.ini (or the file given). Nothing needs a
/// restart: every change is a signal.
class Settings : public QObject {
  Q_OBJECT

 public:
  explicit Settings(const QString& file = {}, QObject* parent = nullptr);
  ~Settings() override;

  ThemeChoice theme() const;
  void set_theme(ThemeChoice theme);
  /// The choice; empty = as the environment says.
  std::optional<reports::Language> language_choice() const;
  void set_language(std::optional<reports::Language> language);
  reports::Language language() const;  ///< the one in force

  QByteArray window_state(const QString& name) const;  ///< geometry, docks
  void set_window_state(const QString& name, const QByteArray& state);
  QString last_folder() const;
  void set_last_folder(const QString& folder);

 signals:
  void theme_changed(ThemeChoice theme);
  void language_changed(reports::Language language);

 private:
  std::unique_ptr<QSettings> store_;
};

}  // namespace weir::desktop
