// Everything the window says exists in Chinese; menus can be used by keyboard in both languages; every input says what
// it is.
#include <QAbstractItemView>
#include <QAbstractSpinBox>
#include <QCheckBox>
#include <QComboBox>
#include <QDirIterator>
#include <QLineEdit>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <set>

#include "app/desktop/views/chart_widget.h"
#include "tests/desktop/ui/window_fixture.h"

namespace weir::desktop {
namespace {

/// The texts inside tr("...") of one source file; adjacent literals are one text.
QStringList texts_of(const QString& file) {
  QFile source(file);
  if (!source.open(QIODevice::ReadOnly)) return {};
  const QString code = QString::fromUtf8(source.readAll());
  static const QRegularExpression call(QStringLiteral("\\btr\\(\\s*((?:\"(?:[^\"\\\\]|\\\\.)*\"\\s*)+)"));
  static const QRegularExpression literal(QStringLiteral("\"((?:[^\"\\\\]|\\\\.)*)\""));
  QStringList texts;
  for (auto at = call.globalMatch(code); at.hasNext();) {
    QString text;
    const QString literals = at.next().captured(1);
    for (auto part = literal.globalMatch(literals); part.hasNext();) text += part.next().captured(1);
    texts << text;
  }
  return texts;
}

QString mnemonic_of(const QString& text) {
  static const QRegularExpression mark(QStringLiteral("&([^&\\s])"));
  return mark.match(text).captured(1).toUpper();
}

void check_menu(const QMenu* menu, QStringList& problems) {
  std::set<QString> seen;
  for (const QAction* action : menu->actions()) {
    if (action->isSeparator()) continue;
    if (action->menu() != nullptr) check_menu(action->menu(), problems);
    const QString key = mnemonic_of(action->text());
    if (!key.isEmpty() && !seen.insert(key).second)
      problems << QString(menu->title() + QStringLiteral(": ") + action->text());
  }
}

}  // namespace

class WordsTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase() { Theme::instance().install(); }

  void every_text_has_a_translation() {
    QStringList missing;
    int texts = 0;
    QDirIterator files(QStringLiteral(WEIR_SOURCE_DIR "/app/desktop"), {QStringLiteral("*.cpp"), QStringLiteral("*.h")},
                       QDir::Files, QDirIterator::Subdirectories);
    std::set<std::string> known;
    for (const auto& [english, words] : reports::entries(reports::Language::zh_CN)) known.insert(english);
    while (files.hasNext()) {
      const QString file = files.next();
      for (const QString& text : texts_of(file)) {
        ++texts;
        if (!known.contains(text.toStdString()))
          missing << QString(QFileInfo(file).fileName() + QStringLiteral(": ") + text);
      }
    }
    QVERIFY2(texts > 200, "the scan found too few texts to be right");
    QVERIFY2(missing.isEmpty(), qPrintable(missing.join(QLatin1Char('\n'))));
  }

  void places_survive_translation() {
    for (const auto& [english, words] : reports::entries(reports::Language::zh_CN)) {
      for (const char* place : {"%1", "%2", "%3", "%4"}) {
        QVERIFY2((english.find(place) == std::string::npos) == (words.find(place) == std::string::npos),
                 english.c_str());
      }
    }
  }

  void mnemonics_are_unique_data() {
    QTest::addColumn<int>("language");
    QTest::newRow("en") << static_cast<int>(reports::Language::en);
    QTest::newRow("zh_CN") << static_cast<int>(reports::Language::zh_CN);
  }
  void mnemonics_are_unique() {
    QFETCH(int, language);
    TestWindow test(static_cast<reports::Language>(language));
    QStringList problems;
    std::set<QString> seen;
    for (const QAction* action : test.window->menuBar()->actions()) {
      const QString key = mnemonic_of(action->text());
      if (key.isEmpty() || !seen.insert(key).second) problems << action->text();
      check_menu(action->menu(), problems);
    }
    QCOMPARE(test.window->menuBar()->actions().size(), 6);
    QVERIFY2(problems.isEmpty(), qPrintable(problems.join(QStringLiteral(" | "))));
  }

  void inputs_have_accessible_names() {
    TestWindow test(reports::Language::zh_CN);
    test.open_small();
    QVERIFY(test.wait_for_result());
    QStringList nameless;
    int inputs = 0;
    for (const QWidget* widget : test.window->findChildren<QWidget*>()) {
      const bool own = qobject_cast<const QLineEdit*>(widget) || qobject_cast<const QComboBox*>(widget) ||
                       qobject_cast<const QCheckBox*>(widget) || qobject_cast<const QAbstractItemView*>(widget) ||
                       qobject_cast<const ChartWidget*>(widget);
      // The line edit and the list inside a combo box speak for the box.
      const bool inner = qobject_cast<const QComboBox*>(widget->parent()) ||
                         QByteArray(widget->parent() ? widget->parent()->metaObject()->className() : "") ==
                             "QComboBoxPrivateContainer";
      if (!own || inner || qobject_cast<const QMenu*>(widget)) continue;
      if (qobject_cast<const ChartWidget*>(widget) && !widget->isVisibleTo(test.window.get())) continue;
      ++inputs;
      if (widget->accessibleName().isEmpty()) {
        nameless << QString(QLatin1String(widget->metaObject()->className()) + QLatin1Char(' ') + widget->objectName());
      }
    }
    QVERIFY(inputs > 25);
    QVERIFY2(nameless.isEmpty(), qPrintable(nameless.join(QStringLiteral(" | "))));
  }
};

}  // namespace weir::desktop

QTEST_MAIN(weir::desktop::WordsTest)
#include "words_test.moc"
