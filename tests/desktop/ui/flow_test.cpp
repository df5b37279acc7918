// What people do, from a template to four kinds of report, in both languages; and what must not get lost on the way.
#include <QClipboard>
#include <QComboBox>
#include <QDir>
#include <QDropEvent>
#include <QLineEdit>
#include <QMenuBar>
#include <QMessageBox>
#include <QMimeData>
#include <QProgressBar>
#include <QTimer>
#include <QToolBar>

#include "app/desktop/models/cost_input_model.h"
#include "app/desktop/models/roles.h"
#include "app/desktop/pages/ranking_table.h"
#include "app/desktop/views/chart_widget.h"
#include "app/desktop/views/inspector.h"
#include "app/desktop/views/machine_panel.h"
#include "app/desktop/views/notice.h"
#include "app/desktop/views/number_field.h"
#include "tests/desktop/ui/window_fixture.h"

namespace weir::desktop {
namespace {

QByteArray bytes_of(const QString& file) {
  QFile in(file);
  return in.open(QIODevice::ReadOnly) ? in.readAll() : QByteArray();
}

/// The field that is named `caption`.
NumberField* field(const TestWindow& test, const QString& caption) {
  for (NumberField* found : test.window->findChildren<NumberField*>()) {
    if (found->accessibleName() == caption) return found;
  }
  return nullptr;
}

void type(NumberField* target, const QString& text) {
  target->setFocus();
  target->selectAll();
  QTest::keyClicks(target, text);
  QTest::keyClick(target, Qt::Key_Return);
}

QString write_trace(const TestWindow& test) {
  QFile trace(test.file("requests.csv"));
  if (!trace.open(QIODevice::WriteOnly)) return {};
  trace.write("arrival_s,input_tokens,output_tokens\n");
  for (int i = 0; i < 400; ++i) {
    trace.write(QByteArray::number(0.25 * i) + ',' + QByteArray::number(100 + i % 50) + ",32\n");
  }
  trace.write("100.5,12,x\n");
  return trace.fileName();
}

void drop(TestWindow& test, const QString& file) {
  QMimeData data;
  data.setUrls({QUrl::fromLocalFile(file)});
  QDragEnterEvent enter(QPoint(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(test.window.get(), &enter);
  QVERIFY(enter.isAccepted());
  QDropEvent event(QPointF(200, 200), Qt::CopyAction, &data, Qt::LeftButton, Qt::NoModifier);
  QCoreApplication::sendEvent(test.window.get(), &event);
  QVERIFY(event.isAccepted());
}

}  // namespace

class FlowTest : public QObject {
  Q_OBJECT

 private:
  void export_and_check(TestWindow& test, ExportFormat format, const QString& file, const QByteArray& begin) {
    if (!can_export(format)) QSKIP("this build cannot write that format");
    test.window->commands().export_to(format, file);
    QVERIFY(QTest::qWaitFor([&] { return !test.bench->exporter.is_running() && QFileInfo::exists(file); }, 60000));
    QVERIFY2(bytes_of(file).startsWith(begin), qPrintable(file));
  }

 private slots:
  void initTestCase() { Theme::instance().install(); }

  void template_to_reports_data() {
    QTest::addColumn<int>("language");
    QTest::addColumn<QString>("horizon");
    QTest::newRow("en") << static_cast<int>(reports::Language::en) << QStringLiteral("Horizon");
    QTest::newRow("zh_CN") << static_cast<int>(reports::Language::zh_CN) << QStringLiteral("测算期");
  }
  void template_to_reports() {
    QFETCH(int, language);
    QFETCH(QString, horizon);
    TestWindow test(static_cast<reports::Language>(language));
    test.open_small();
    QVERIFY(test.wait_for_result());
    QCOMPARE(static_cast<int>(test.window->page()), static_cast<int>(PageId::decision));
    auto* ranking = test.find<RankingTable>("ranking");
    QVERIFY(ranking->model()->rowCount() >= 2);
    const double before = test.bench->session.result()->plan.options.front().cost->total.units();

    // An edit is an undo step, makes the result stale and brings a new one.
    test.window->show_page(PageId::costs);
    NumberField* months = field(test, horizon);
    QVERIFY(months != nullptr);
    type(months, QStringLiteral("24"));
    QCOMPARE(test.bench->session.scenario().cost.horizon_months, 24);
    QVERIFY(!test.bench->session.result_is_current());
    QVERIFY(test.wait_for_result());
    QCOMPARE(test.bench->session.result()->plan.horizon_months, 24);
    QVERIFY(test.bench->session.result()->plan.options.front().cost->total.units() < before);
    test.bench->session.undo_stack().undo();
    QCOMPARE(test.bench->session.scenario().cost.horizon_months, 36);
    QVERIFY(test.wait_for_result());
    QCOMPARE(test.bench->session.result()->plan.options.front().cost->total.units(), before);

    // Saved, closed, opened again: the same inputs and the same answer.
    QVERIFY(test.window->isWindowModified());
    const QString saved = test.file("small.weir");
    QVERIFY(test.window->commands().save_to(saved));
    QVERIFY(!test.window->isWindowModified());
    test.window->commands().close();
    QVERIFY(!test.bench->session.is_open());
    QVERIFY(test.window->commands().open(saved));
    QVERIFY(test.wait_for_result());
    QCOMPARE(test.bench->session.result()->plan.options.front().cost->total.units(), before);
    QCOMPARE(test.bench->recent.files().front(), QFileInfo(saved).absoluteFilePath());

    export_and_check(test, ExportFormat::pdf, test.file("out.pdf"), "%PDF-");
    export_and_check(test, ExportFormat::xlsx, test.file("out.xlsx"), "PK");
    export_and_check(test, ExportFormat::csv_table, test.file("out.csv"), "rank,");
    export_and_check(test, ExportFormat::html, test.file("out.html"), "<!");
    const QByteArray html = bytes_of(test.file("out.html"));
    QVERIFY(html.contains(language == static_cast<int>(reports::Language::en) ? "lang=\"en\"" : "lang=\"zh"));
  }

  void wrong_numbers_stay_and_say_why() {
    TestWindow test;
    test.open_small();
    test.window->show_page(PageId::costs);
    NumberField* months = field(test, QStringLiteral("Horizon"));
    type(months, QStringLiteral("abc"));
    QCOMPARE(months->text(), QStringLiteral("abc"));
    QVERIFY(!months->problem().isEmpty());
    QCOMPARE(test.bench->session.scenario().cost.horizon_months, 36);
    type(months, QStringLiteral("500"));
    QVERIFY(!months->problem().isEmpty());
    QTest::keyClick(months, Qt::Key_Escape);
    QCOMPARE(months->text(), QStringLiteral("36"));
    QVERIFY(months->problem().isEmpty());
    test.window->show_page(PageId::hardware);
    NumberField* budget = field(test, QStringLiteral("Token budget"));
    type(budget, QStringLiteral("1.5k"));
    QCOMPARE(test.bench->session.scenario().serving.token_budget, 1500);
  }

  void own_quotes_are_typed_into_the_table() {
    TestWindow test;
    test.open_small();
    test.window->show_page(PageId::costs);
    auto* prices = test.find<DataTable>("prices");
    const QModelIndex value = prices->model()->index(0, CostInputModel::Value);
    const std::string key = value.siblingAtColumn(0).data(NameRole).toString().toStdString();
    prices->setCurrentIndex(value);
    prices->edit(value);
    auto* editor = prices->viewport()->findChild<QLineEdit*>();
    QVERIFY(editor != nullptr);
    editor->selectAll();
    QTest::keyClicks(editor, QStringLiteral("123k"));
    QTest::keyClick(editor, Qt::Key_Return);
    QTRY_VERIFY(test.bench->session.scenario().cost.overrides.contains(key));
    QCOMPARE(test.bench->session.scenario().cost.overrides.at(key), 123000.0);
    prices->setCurrentIndex(prices->model()->index(0, CostInputModel::Value));
    QTest::keyClick(prices, Qt::Key_Delete);
    QVERIFY(!test.bench->session.scenario().cost.overrides.contains(key));
  }

  void closing_asks_only_when_something_would_be_lost() {
    TestWindow test;
    test.open_small();
    int asked = 0;
    const auto answer = [&asked](const QString& text) {
      QTimer::singleShot(200, qApp, [&asked, text] {
        auto* box = qobject_cast<QMessageBox*>(QApplication::activeModalWidget());
        if (box == nullptr) return;
        ++asked;
        for (QAbstractButton* button : box->buttons()) {
          if (button->text() == text) return button->click();
        }
      });
    };
    answer(QStringLiteral("&Cancel"));
    QVERIFY(!test.window->close());
    QCOMPARE(asked, 1);
    QVERIFY(test.bench->session.is_open());
    QVERIFY(test.window->commands().save_to(test.file("kept.weir")));
    answer(QStringLiteral("&Cancel"));
    QVERIFY(test.window->close());
    QCOMPARE(asked, 1);
  }

  void cancel_keeps_the_old_result() {
    TestWindow test;
    test.open_small();
    QVERIFY(test.wait_for_result());
    const auto old = test.bench->session.result();
    QSignalSpy cancelled(&test.bench->planner, &Planner::cancelled);
    test.bench->session.edit(QStringLiteral("another seed"), {}, [](data::Scenario& s) {
      s.seed = 7;
      s.candidates.tensor_parallel = {1, 2, 4};
      s.candidates.accelerators.push_back("h100-sxm5-80gb");
    });
    test.bench->planner.run();
    QVERIFY(test.bench->planner.is_running());
    test.bench->planner.cancel();
    QVERIFY(cancelled.wait(5000) || !cancelled.isEmpty());
    QCOMPARE(test.bench->session.result(), old);
    QVERIFY(!test.bench->session.result_is_current());
    bool said = false;
    for (const Notice* notice : test.window->findChildren<Notice*>()) {
      said = said || (notice->isVisible() && notice->what().contains(QStringLiteral("Cancelled")));
    }
    QVERIFY(said);
  }

  void measuring_shows_progress_and_can_be_cancelled() {
    TestWindow test;
    auto* panel = test.window->findChild<MachinePanel*>();
    QVERIFY(panel != nullptr);
    QSignalSpy progress(&test.bench->probe, &Job::progress);
    QSignalSpy cancelled(&test.bench->probe, &Job::cancelled);
    panel->measure();
    QVERIFY(progress.wait(30000));
    QCoreApplication::processEvents();
    const auto bars = panel->findChildren<QProgressBar*>();
    QCOMPARE(bars.size(), 1);
    for (QPushButton* button : panel->findChildren<QPushButton*>()) {
      if (button->isVisible() && button->text() == QStringLiteral("Cancel")) button->click();
    }
    QVERIFY(!cancelled.isEmpty() || cancelled.wait(10000));
    QVERIFY(test.bench->probe.calibration() == nullptr);
  }

  void language_and_theme_switch_while_it_runs() {
    TestWindow test;
    test.open_small();
    QVERIFY(test.wait_for_result());
    const QString english = test.find<QLabel>("headline")->text();
    test.window->show_page(PageId::decision);
    const QImage light = test.window->grab().toImage();
    test.bench->settings.set_theme(ThemeChoice::dark);
    QCoreApplication::processEvents();
    QVERIFY(test.window->grab().toImage().pixelColor(700, 890).lightness() < light.pixelColor(700, 890).lightness());
    test.bench->settings.set_language(reports::Language::zh_CN);
    QCoreApplication::processEvents();
    QVERIFY(test.find<QLabel>("headline")->text() != english);
    QCOMPARE(static_cast<int>(test.window->page()), static_cast<int>(PageId::decision));
    QCOMPARE(test.window->menuBar()->actions().front()->text(), QStringLiteral("文件(&F)"));
    test.bench->settings.set_language(reports::Language::en);
    QCoreApplication::processEvents();
    QCOMPARE(test.find<QLabel>("headline")->text(), english);
    QCOMPARE(test.window->findChildren<QToolBar*>().size(), 1);
  }

  void dropped_trace_is_looked_at_first() {
    TestWindow test;
    test.open_small();
    QVERIFY(test.wait_for_result());
    const QString trace = write_trace(test);
    drop(test, trace);
    QVERIFY(QTest::qWaitFor([&] { return test.bench->import.preview() != nullptr; }, 20000));
    QCOMPARE(static_cast<int>(test.window->page()), static_cast<int>(PageId::workload));
    QVERIFY(test.bench->session.trace() == nullptr);
    auto* accept = test.find<QPushButton>("accept_import");
    QVERIFY(QTest::qWaitFor([&] { return accept->isVisible(); }, 5000));
    QVERIFY(accept->text().contains(QStringLiteral("400")));
    QTest::mouseClick(accept, Qt::LeftButton);
    QVERIFY(test.bench->session.trace() != nullptr);
    QCOMPARE(test.bench->session.trace()->demand_count(), std::int64_t{400});
    test.bench->session.undo_stack().undo();
    QVERIFY(test.bench->session.trace() == nullptr);

    // Looked at and not wanted: nothing changes.
    drop(test, trace);
    QVERIFY(QTest::qWaitFor([&] { return test.bench->import.preview() != nullptr; }, 20000));
    QTest::mouseClick(test.find<QPushButton>("cancel_import"), Qt::LeftButton);
    QVERIFY(test.bench->session.trace() == nullptr);
    QVERIFY(test.bench->import.preview() == nullptr);
  }

  void numbers_are_explained_and_copied() {
    TestWindow test;
    test.open_small();
    QVERIFY(test.wait_for_result());
    test.window->show_page(PageId::decision);
    auto* ranking = test.find<RankingTable>("ranking");
    auto* options = static_cast<OptionModel*>(ranking->model());
    const int tco = options->section_of(OptionModel::Tco);
    ranking->setCurrentIndex(options->index(1, tco));
    const Explanation explanation = test.window->findChild<Inspector*>()->explanation();
    QVERIFY(explanation.title.contains(QStringLiteral("TCO")));
    QVERIFY(!explanation.inputs.empty());
    QVERIFY(!explanation.formula.isEmpty());
    QTest::keyClick(ranking, Qt::Key_C, Qt::ControlModifier);
    const QStringList copied = QApplication::clipboard()->text().trimmed().split(QLatin1Char('\n'));
    QCOMPARE(copied.size(), options->rowCount() + 1);  // heads and all rows
    QCOMPARE(copied[0].count(QLatin1Char('\t')), options->columnCount() - 1);
    QVERIFY(copied[2].contains(options->index(1, tco).data().toString()));
  }

  void charts_read_out_zoom_and_are_saved() {
    TestWindow test;
    test.open_small();
    QVERIFY(test.wait_for_result());
    test.window->show_page(PageId::decision);
    QCoreApplication::processEvents();
    int read = 0, zoomed = 0;
    for (ChartWidget* chart : test.window->findChildren<ChartWidget*>()) {
      if (!chart->isVisible() || chart->scene().plots.empty()) continue;
      const auto& area = chart->scene().plots.front().area;
      chart->point_at({area.x + area.width / 2, area.y + area.height / 2});
      read += chart->read_out_line().isEmpty() ? 0 : 1;
      QTest::keyClick(chart, Qt::Key_Plus);
      if (chart->is_zoomed()) {
        ++zoomed;
        QTest::keyClick(chart, Qt::Key_0);
        QVERIFY(!chart->is_zoomed());
      }
      QVERIFY(!chart->accessibleName().isEmpty());
      QVERIFY(chart->as_text().contains(QLatin1Char('\t')));
      QVERIFY(chart->save_to(test.file("chart.svg")));
      QVERIFY(bytes_of(test.file("chart.svg")).startsWith("<svg"));
      QVERIFY(chart->save_to(test.file("chart.png")));
      QVERIFY(bytes_of(test.file("chart.png")).startsWith("\x89PNG"));
    }
    QVERIFY(read >= 3);
    QVERIFY(zoomed >= 2);
  }
};

}  // namespace weir::desktop

QTEST_MAIN(weir::desktop::FlowTest)
#include "flow_test.moc"
