// Grabs every page in both languages and themes, so that people can look at them, and finds text that is cut.
// QT_SCALE_FACTOR=2 in the environment grabs at twice the resolution.
#include <QAbstractButton>
#include <QDialog>
#include <QDir>
#include <QScrollArea>
#include <QStyle>

#include "app/desktop/views/about.h"
#include "tests/desktop/ui/window_fixture.h"

namespace weir::desktop {
namespace {

/// Labels and buttons whose text does not fit into what the layout gave them.
QStringList cut_texts(const QWidget* top) {
  QStringList cut;
  for (const QLabel* label : top->findChildren<QLabel*>()) {
    if (!label->isVisible() || label->text().isEmpty()) continue;
    const bool fits = label->wordWrap() ? label->height() >= label->heightForWidth(label->width())
                                        : label->width() >= label->minimumSizeHint().width() &&
                                              label->height() >= label->minimumSizeHint().height();
    if (!fits) cut << label->text();
  }
  for (const QAbstractButton* button : top->findChildren<QAbstractButton*>()) {
    if (!button->isVisible() || button->text().isEmpty()) continue;
    if (button->width() < button->sizeHint().width() || button->height() < button->minimumSizeHint().height()) {
      cut << button->text();
    }
  }
  return cut;
}

}  // namespace

class ScreenshotsTest : public QObject {
  Q_OBJECT

 private:
  QString suffix_;

  void grab(TestWindow& test, const QString& name) {
    // What has just arrived is laid out a moment later; only what stays cut is a fault.
    QTest::qWait(30);
    (void)QTest::qWaitFor([&] { return cut_texts(test.window.get()).isEmpty(); }, 3000);
    QDir().mkpath(QStringLiteral(WEIR_BINARY_DIR "/screenshots"));
    const QString file = QStringLiteral(WEIR_BINARY_DIR "/screenshots/") + name + suffix_ + QStringLiteral(".png");
    QVERIFY(test.window->grab().save(file));
    const QStringList cut = cut_texts(test.window.get());
    QVERIFY2(cut.isEmpty(), qPrintable(name + QStringLiteral(": ") + cut.join(QStringLiteral(" | "))));
  }

  void grab_all(TestWindow& test, const QString& tag) {
    QVERIFY(QTest::qWaitFor([&] { return !test.bench->doctor.is_running(); }, 20000));
    grab(test, QStringLiteral("start-") + tag);
    test.window->show_page(PageId::decision);
    grab(test, QStringLiteral("decision-empty-") + tag);
    test.open_small();
    test.bench->planner.run();
    QVERIFY(test.wait_for_result());
    grab(test, QStringLiteral("decision-") + tag);
    test.window->show_page(PageId::workload);
    QVERIFY(QTest::qWaitFor([&] { return !test.bench->demand.is_running(); }, 20000));
    grab(test, QStringLiteral("workload-") + tag);
    test.window->show_page(PageId::hardware);
    grab(test, QStringLiteral("hardware-") + tag);
    test.window->show_page(PageId::costs);
    grab(test, QStringLiteral("costs-") + tag);
    grab_import(test, tag);
    grab_infeasible(test, tag);
    grab_error(test, tag);
  }

  void grab_import(TestWindow& test, const QString& tag) {
    QFile trace(test.file("requests.csv"));
    QVERIFY(trace.open(QIODevice::WriteOnly));
    trace.write("arrival_s,input_tokens,output_tokens,channel\n");
    for (int i = 0; i < 3000; ++i) {
      // Deterministic, uneven: gaps of 0.02 to 0.7 s, lengths over a wide range.
      const double t = 0.1 * i + 0.05 * ((i * 37) % 11);
      const QByteArray output = i == 1200 ? "x" : QByteArray::number(20 + (i * 53) % 480);
      trace.write(QByteArray::number(t, 'f', 3) + ',' + QByteArray::number(40 + (i * 97) % 3000) + ',' + output +
                  ",web\n");
    }
    trace.close();
    test.window->commands().take_file(trace.fileName());
    QVERIFY(QTest::qWaitFor([&] { return test.bench->import.preview() != nullptr; }, 20000));
    QTest::qWait(100);
    grab(test, QStringLiteral("import-") + tag);
    test.find<QPushButton>("cancel_import")->click();
  }

  void grab_infeasible(TestWindow& test, const QString& tag) {
    test.bench->session.edit(QStringLiteral("tighten"), {},
                             [](data::Scenario& s) { s.workloads.front().classes.front().slo.tpot_s["p99"] = 0.004; });
    test.window->show_page(PageId::decision);
    test.bench->planner.run();
    QVERIFY(test.wait_for_result());
    grab(test, QStringLiteral("infeasible-") + tag);
    test.bench->session.undo_stack().undo();
  }

  void grab_error(TestWindow& test, const QString& tag) {
    QVERIFY(test.window->commands().save_to(test.file("saved.weir")));
    test.window->commands().open(test.file("requests.weir"));
    grab(test, QStringLiteral("error-") + tag);
  }

 private slots:
  void initTestCase() {
    Theme::instance().install();
    const QByteArray factor = qgetenv("QT_SCALE_FACTOR");
    suffix_ = factor.isEmpty() ? QString() : QStringLiteral("-") + QString::fromLatin1(factor) + QStringLiteral("x");
  }

  void english_light() {
    TestWindow test;
    grab_all(test, QStringLiteral("light-en"));
  }
  void chinese_light() {
    TestWindow test(reports::Language::zh_CN);
    grab_all(test, QStringLiteral("light-zh"));
  }
  void english_dark() {
    TestWindow test(reports::Language::en, ThemeChoice::dark);
    grab_all(test, QStringLiteral("dark-en"));
  }
  void chinese_dark_small() {
    TestWindow test(reports::Language::zh_CN, ThemeChoice::dark, QSize(1280, 720));
    grab_all(test, QStringLiteral("dark-zh-1280"));
  }
  /// The examples as they are shipped, a plan at work, and the windows of the Help menu.
  void whole_examples() {
    TestWindow test;
    QVERIFY(test.window->commands().new_from_template(QStringLiteral("llm-chat")));
    QVERIFY(test.wait_for_result());
    grab(test, QStringLiteral("example-light-en"));
    QVERIFY(test.window->commands().save_to(test.file("chat.weir")));
    test.bench->session.edit(QStringLiteral("another seed"), {}, [](data::Scenario& s) { s.seed = 5; });
    test.bench->planner.run();
    QTest::qWait(400);
    if (test.bench->planner.is_running()) grab(test, QStringLiteral("working-light-en"));
    test.bench->planner.cancel();
    QVERIFY(QTest::qWaitFor([&] { return !test.bench->planner.is_running(); }, 20000));
    grab(test, QStringLiteral("cancelled-light-en"));
    QVERIFY(test.window->commands().save());
    test.window->show_page(PageId::start);
    grab(test, QStringLiteral("start-recent-light-en"));
    show_about(test.window.get());
    show_shortcuts(test.window.get());
    QTest::qWait(50);
    for (QDialog* dialog : test.window->findChildren<QDialog*>()) {
      QVERIFY(dialog->grab().save(QStringLiteral(WEIR_BINARY_DIR "/screenshots/dialog-%1.png").arg(dialog->height())));
      QVERIFY2(cut_texts(dialog).isEmpty(), qPrintable(cut_texts(dialog).join(QLatin1Char('|'))));
    }
  }
  void one_shot_example() {
    TestWindow test(reports::Language::zh_CN);
    QVERIFY(test.window->commands().new_from_template(QStringLiteral("bert-text-classification")));
    QVERIFY(test.wait_for_result());
    grab(test, QStringLiteral("example-bert-light-zh"));
    test.window->show_page(PageId::workload);
    QVERIFY(QTest::qWaitFor([&] { return !test.bench->demand.is_running(); }, 20000));
    grab(test, QStringLiteral("workload-bert-light-zh"));
  }
  void english_light_small() {
    TestWindow test(reports::Language::en, ThemeChoice::light, QSize(1280, 720));
    grab_all(test, QStringLiteral("light-en-1280"));
  }
};

}  // namespace weir::desktop

QTEST_MAIN(weir::desktop::ScreenshotsTest)
#include "screenshots_test.moc"
