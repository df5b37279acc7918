#include "app/desktop/models/settings.h"

#include <QDir>
#include <QSettings>

namespace weir::desktop {
namespace {

const QString kTheme = QStringLiteral("theme");
const QString kLanguage = QStringLiteral("language");
const QString kFolder = QStringLiteral("last_folder");
const QString kWindow = QStringLiteral("window/");

QString default_file() {
  QString base = qEnvironmentVariable("XDG_CONFIG_HOME");
  if (!QDir::isAbsolutePath(base)) base = QDir::homePath() + QStringLiteral("/.config");
  return base + QStringLiteral("/weir/desktop.ini");
}

}  // namespace

Settings::Settings(const QString& file, QObject* parent)
    : QObject(parent),
      store_(std::make_unique<QSettings>(file.isEmpty() ? default_file() : file, QSettings::IniFormat)) {}

Settings::~Settings() = default;

ThemeChoice Settings::theme() const {
  const QString text = store_->value(kTheme).toString();
  if (text == QLatin1String("light")) return ThemeChoice::light;
  return text == QLatin1String("dark") ? ThemeChoice::dark : ThemeChoice::system;
}

void Settings::set_theme(ThemeChoice theme) {
  if (theme == this->theme()) return;
  const char* text = theme == ThemeChoice::light ? "light" : theme == ThemeChoice::dark ? "dark" : "system";
  store_->setValue(kTheme, QString::fromLatin1(text));
  emit theme_changed(theme);
}

std::optional<reports::Language> Settings::language_choice() const {
  return reports::parse_language(store_->value(kLanguage).toString().toStdString());
}

reports::Language Settings::language() const { return language_choice().value_or(reports::language_of_environment()); }

void Settings::set_language(std::optional<reports::Language> choice) {
  const reports::Language before = language();
  if (choice) {
    const std::string_view code = reports::code_of(*choice);
    store_->setValue(kLanguage, QString::fromLatin1(code.data(), static_cast<qsizetype>(code.size())));
  } else {
    store_->remove(kLanguage);
  }
  if (language() != before) emit language_changed(language());
}

QByteArray Settings::window_state(const QString& name) const { return store_->value(kWindow + name).toByteArray(); }
void Settings::set_window_state(const QString& name, const QByteArray& state) {
  store_->setValue(kWindow + name, state);
}
QString Settings::last_folder() const { return store_->value(kFolder).toString(); }
void Settings::set_last_folder(const QString& folder) { store_->setValue(kFolder, folder); }

}  // namespace weir::desktop
