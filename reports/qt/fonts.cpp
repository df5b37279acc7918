#include <QFontDatabase>
#include <QGuiApplication>
#include <QHashFunctions>
#include <QStringList>

#include <array>
#include <cmath>
#include <cstdio>
#include <stdexcept>

#include "data/errors.h"
#include "reports/qt/paint_scene.h"

namespace weir::reports::qt {
namespace {

bool installed(const QString& family) { return QFontDatabase::hasFamily(family); }

QString latin_family() {
  for (const char* name : {"Noto Sans", "Open Sans", "DejaVu Sans", "Liberation Sans"}) {
    if (installed(QString::fromLatin1(name))) return QString::fromLatin1(name);
  }
  return QFontDatabase::families(QFontDatabase::Latin).value(0);
}

QString han_family(Medium medium) {
  const QString noto = QStringLiteral("Noto Sans CJK SC");
  const QString wenquanyi = QStringLiteral("WenQuanYi Zen Hei");
  // Qt writes some characters of Noto CJK into PDFs as radicals, which breaks searching and copying.
  const bool paper = medium == Medium::paper;
  for (const QString& name : {paper ? wenquanyi : noto, paper ? noto : wenquanyi}) {
    if (installed(name)) return name;
  }
  return QFontDatabase::families(QFontDatabase::SimplifiedChinese).value(0);
}

QStringList families(Medium medium) {
  QStringList list = {latin_family()};
  const QString han = han_family(medium);
  if (!han.isEmpty()) list.append(han);
  return list;
}

}  // namespace

void ensure_application() {
  // The order in which Qt writes objects into a PDF follows its hash tables: the same in every process.
  QHashSeed::setDeterministicGlobalSeed();
  if (QCoreApplication::instance() == nullptr) {
    static int count = 3;
    static std::array<char, 5> program = {"weir"};
    static std::array<char, 10> option = {"-platform"};
    static std::array<char, 10> platform = {"offscreen"};
    static std::array<char*, 4> arguments = {program.data(), option.data(), platform.data(), nullptr};
    // A windowless program has no use for Qt's advice about the desktop session (XDG_RUNTIME_DIR and the like).
    const QtMessageHandler usual =
        qInstallMessageHandler([](QtMsgType type, const QMessageLogContext&, const QString& text) {
          if (type == QtCriticalMsg || type == QtFatalMsg) std::fprintf(stderr, "%s\n", qUtf8Printable(text));
        });
    // Lives to the end of the process: Qt's own statics must not be torn down around it.
    static auto* const application = new QGuiApplication(count, arguments.data());
    Q_UNUSED(application);
    qInstallMessageHandler(usual);
  }
  if (qobject_cast<QGuiApplication*>(QCoreApplication::instance()) == nullptr) {
    throw std::logic_error("fonts need a QGuiApplication, this program has made a QCoreApplication");
  }
  if (latin_family().isEmpty()) {
    throw data::SystemError("no font is installed that could set text (Debian: fonts-noto-core)");
  }
}

bool has_han_font() { return !han_family(Medium::screen).isEmpty(); }

QFont text_font(double size, bool bold, Medium medium) {
  static const std::array<QStringList, 2> kFamilies = {families(Medium::screen), families(Medium::paper)};
  QFont font;
  font.setFamilies(kFamilies[static_cast<std::size_t>(medium)]);
  font.setPixelSize(static_cast<int>(std::lround(size)));
  font.setWeight(bold ? QFont::DemiBold : QFont::Normal);
  // Unhinted letters have the same widths at every scale and on every device, so one layout serves all of them.
  font.setHintingPreference(QFont::PreferNoHinting);
  return font;
}

}  // namespace weir::reports::qt
