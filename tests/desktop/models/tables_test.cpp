#include <QSortFilterProxyModel>
#include <QTemporaryDir>
#include <nlohmann/json.hpp>

#include "app/desktop/models/cost_input_model.h"
#include "app/desktop/models/hardware_model.h"
#include "app/desktop/models/option_model.h"
#include "app/desktop/models/planner.h"
#include "app/desktop/models/recent_files.h"
#include "app/desktop/models/settings.h"
#include "app/desktop/models/template_model.h"
#include "app/desktop/models/text.h"
#include "app/desktop/models/translator.h"
#include "app/desktop/models/tsv.h"
#include "reports/decide.h"
#include "tests/desktop/models/fixture.h"

namespace weir::desktop {
namespace {

constexpr auto kEnglish = reports::Language::en;
constexpr auto kChinese = reports::Language::zh_CN;

bool has_han(const QString& text) {
  return std::any_of(text.begin(), text.end(), [](QChar c) { return c.unicode() >= 0x4e00 && c.unicode() < 0xa000; });
}

int row_of(const QAbstractItemModel& model, const char* name) {
  for (int row = 0; row < model.rowCount(); ++row) {
    if (model.index(row, 0).data(NameRole).toString() == QLatin1String(name)) return row;
  }
  return -1;
}

}  // namespace

class TablesTest : public QObject {
  Q_OBJECT

 private slots:
  void initTestCase();
  void the_ranking_shows_what_the_plan_says();
  void the_ranking_sorts_by_raw_values_and_copies_them();
  void every_number_of_the_ranking_says_where_it_comes_from();
  void hardware_is_chosen_by_its_mark();
  void cost_inputs_are_overridden_and_reset();
  void a_refused_cost_input_stays_as_it_was();
  void templates_are_listed();
  void recent_files_remember_the_last_answer();
  void settings_are_kept_and_tell();
  void times_and_amounts_are_spelled();
  void the_translator_uses_the_same_words();

 private:
  Folder folder_;
  std::shared_ptr<const reports::Decision> decision_;
};

void TablesTest::initTestCase() {
  data::Scenario scenario = data::find_scenario("llm-chat");
  scenario.candidates.accelerators = {"a100-sxm4-80gb", "l4", "t4"};
  scenario.candidates.precisions = {data::Precision::fp16};
  scenario.candidates.tensor_parallel = {1};
  const data::Trace trace = tiny_trace("tiny.csv", 200);
  decision_ = std::make_shared<const reports::Decision>(
      reports::decide({.scenario = scenario, .trace = &trace, .threads = 2}, "test"));
}

void TablesTest::the_ranking_shows_what_the_plan_says() {
  OptionModel model;
  QCOMPARE(model.rowCount(), 0);
  model.set_decision(decision_);
  const sim::PlanResult& plan = decision_->plan;
  const reports::Shortlist list = reports::shortlist(plan);
  QVERIFY(!list.not_eligible.empty());  // llama-3.1-8b at fp16 does not fit a T4
  QCOMPARE(model.rowCount(), static_cast<int>(list.rows.size() + list.not_eligible.size()));
  const auto cell = [&](int row, OptionModel::Column column) { return model.index(row, model.section_of(column)); };
  const sim::PlanOption& best = plan.options[list.rows.front()];
  QCOMPARE(cell(0, OptionModel::Rank).data().toString(), QString::number(best.rank));
  QVERIFY(cell(0, OptionModel::Option).data(ChosenRole).toBool());
  QCOMPARE(cell(0, OptionModel::Tco).data(SortRole).toDouble(), best.cost->total.units());
  QCOMPARE(cell(0, OptionModel::Ttft).data(SortRole).toDouble(), best.run->latency.ttft.p99);
  QCOMPARE(cell(0, OptionModel::Cards).data(SortRole).toInt(), *best.accelerators);
  QCOMPARE(evidence_of(cell(0, OptionModel::Tco).data(EvidenceRole)), std::optional(best.cost->evidence));
  const auto strip = cell(0, OptionModel::Range).data(StripRole).value<StripValue>();
  QVERIFY(strip.p10 <= strip.p90);
  QVERIFY(strip.scale_low <= strip.p10 && strip.p90 <= strip.scale_high);
  QVERIFY(cell(0, OptionModel::Option).data(SentenceRole).toString().isEmpty());

  const int last = model.rowCount() - 1;
  QVERIFY(!model.is_eligible(last));
  QCOMPARE(model.option_at(last)->hardware, std::string("t4"));
  QVERIFY(cell(last, OptionModel::Option).data(SentenceRole).toString().contains(QStringLiteral("does not fit")));
  QVERIFY(cell(last, OptionModel::Option).data(MarkerRole).value<MarkerValue>().hollow);
  QVERIFY(!cell(last, OptionModel::Tco).data(SortRole).isValid());
  QCOMPARE(cell(last, OptionModel::Tco).data().toString(), QStringLiteral("–"));
  QVERIFY(!model.option_at(last + 1));

  model.set_language(kChinese);
  QVERIFY(has_han(model.headerData(model.section_of(OptionModel::Tco), Qt::Horizontal).toString()));
  QVERIFY(has_han(cell(last, OptionModel::Option).data(SentenceRole).toString()));
}

void TablesTest::the_ranking_sorts_by_raw_values_and_copies_them() {
  OptionModel model;
  model.set_decision(decision_);
  const int tco = model.section_of(OptionModel::Tco);
  QSortFilterProxyModel sorted;
  sorted.setSourceModel(&model);
  sorted.setSortRole(SortRole);
  sorted.sort(tco, Qt::DescendingOrder);
  double before = 1e300;
  for (int row = 0; row < sorted.rowCount(); ++row) {
    const QVariant value = sorted.index(row, tco).data(SortRole);
    if (!value.isValid()) continue;
    QVERIFY(value.toDouble() <= before);
    before = value.toDouble();
  }
  const QStringList lines = to_tsv(sorted).split(QLatin1Char('\n'), Qt::SkipEmptyParts);
  QCOMPARE(lines.size(), model.rowCount() + 1);
  for (const QString& line : lines) QCOMPARE(line.count(QLatin1Char('\t')), qsizetype{model.columnCount() - 1});
  QVERIFY(lines.front().contains(QStringLiteral("TTFT P99 (s)")));
  QCOMPARE(lines.at(1).split(QLatin1Char('\t')).at(tco).toDouble(), sorted.index(0, tco).data(SortRole).toDouble());
  QCOMPARE(to_tsv(model, {model.index(0, 0), model.index(1, 0)}),
           QStringLiteral("#\n%1\n%2\n").arg(model.option_at(0)->rank).arg(model.option_at(1)->rank));
}

void TablesTest::every_number_of_the_ranking_says_where_it_comes_from() {
  for (const auto language : {kEnglish, kChinese}) {
    OptionModel model;
    model.set_decision(decision_);
    model.set_language(language);
    for (int row = 0; row < model.rowCount(); ++row) {
      for (int column = 0; column < model.columnCount(); ++column) {
        const QModelIndex cell = model.index(row, column);
        const QString text = cell.data(ProvenanceRole).toString();
        QVERIFY2(!text.isEmpty(), qPrintable(QStringLiteral("%1 %2").arg(row).arg(column)));
        QVERIFY2(!text.contains(QLatin1Char('{')), qPrintable(text));
        if (language == kChinese) QVERIFY2(has_han(text), qPrintable(text));
      }
    }
  }
}

void TablesTest::hardware_is_chosen_by_its_mark() {
  Session session;
  HardwareModel model(session);
  QCOMPARE(model.rowCount(), 0);
  make_small(session);
  QVERIFY(model.rowCount() > 10);
  const int l4 = row_of(model, "l4"), t4 = row_of(model, "t4"), a100 = row_of(model, "a100-sxm4-80gb");
  const auto checked = [&](int row) { return model.index(row, 0).data(Qt::CheckStateRole).toInt() == Qt::Checked; };
  QVERIFY(checked(l4) && checked(a100) && !checked(t4));
  QCOMPARE(model.index(t4, HardwareModel::Memory).data(SortRole).toDouble(), 17179869184.0);
  QCOMPARE(model.index(t4, HardwareModel::Memory).data().toString(), QStringLiteral("16"));
  QVERIFY(evidence_of(model.index(t4, HardwareModel::Memory).data(EvidenceRole)));
  QVERIFY(!model.index(t4, HardwareModel::Memory).data(ProvenanceRole).toString().isEmpty());

  QVERIFY(model.setData(model.index(t4, 0), Qt::Checked, Qt::CheckStateRole));
  QVERIFY(checked(t4));
  QCOMPARE(session.scenario().candidates.accelerators.size(), std::size_t{3});
  session.undo_stack().undo();
  QVERIFY(!checked(t4));
  QSignalSpy refused(&model, &HardwareModel::refused);
  QVERIFY(model.setData(model.index(l4, 0), Qt::Unchecked, Qt::CheckStateRole));
  QVERIFY(!model.setData(model.index(a100, 0), Qt::Unchecked, Qt::CheckStateRole));
  QCOMPARE(refused.count(), 1);
  QVERIFY(checked(a100));
}

void TablesTest::cost_inputs_are_overridden_and_reset() {
  Session session;
  CostInputModel model(session);
  make_small(session);
  const int pue = row_of(model, "pue"), discount = row_of(model, "purchase_discount");
  QVERIFY(pue >= 0 && discount >= 0);
  QCOMPARE(row_of(model, "traffic_growth"), -1);  // no cost depends on it
  QVERIFY(row_of(model, "server_price_usd.l4") >= 0);
  QCOMPARE(row_of(model, "server_price_usd.t4"), -1);  // no candidate
  const QModelIndex value = model.index(pue, CostInputModel::Value);
  const double catalogue = value.data(SortRole).toDouble();
  QVERIFY(!model.is_overridden(pue));
  QVERIFY(model.flags(value) & Qt::ItemIsEditable);
  QVERIFY(model.setData(value, value.data(Qt::EditRole)));  // looked at, not changed
  QVERIFY(!model.is_overridden(pue));

  QVERIFY(model.setData(value, QStringLiteral("１.４５")));
  QCOMPARE(session.scenario().cost.overrides.at("pue"), 1.45);
  QVERIFY(model.is_overridden(pue));
  QVERIFY(session.undo_stack().undoText().contains(QStringLiteral("PUE")));
  QCOMPARE(value.data(SortRole).toDouble(), 1.45);
  QVERIFY(model.setData(value, QString()));
  QVERIFY(!model.is_overridden(pue));
  QCOMPARE(value.data(SortRole).toDouble(), catalogue);

  QVERIFY(model.setData(model.index(discount, CostInputModel::Value), QStringLiteral("12 %")));
  QCOMPARE(session.scenario().cost.overrides.at("purchase_discount"), 0.12);
  QCOMPARE(model.index(discount, CostInputModel::Value).data().toString(), QStringLiteral("12"));
  QCOMPARE(model.index(discount, CostInputModel::Unit).data().toString(), QStringLiteral("% of list"));
  model.reset_to_catalogue(discount);
  QVERIFY(session.scenario().cost.overrides.empty());
  for (const auto language : {kEnglish, kChinese}) {
    model.set_language(language);
    for (int row = 0; row < model.rowCount(); ++row) {
      QVERIFY(!model.group_at(row).isEmpty());
      QVERIFY(!model.index(row, CostInputModel::Name).data(ProvenanceRole).toString().isEmpty());
      if (language == kChinese) {
        const QString name = model.index(row, CostInputModel::Name).data().toString();
        QVERIFY2(has_han(name) || name == QLatin1String("PUE"), qPrintable(name));
      }
    }
  }
}

void TablesTest::a_refused_cost_input_stays_as_it_was() {
  Session session;
  CostInputModel model(session);
  make_small(session);
  QSignalSpy refused(&model, &CostInputModel::refused);
  const QModelIndex pue = model.index(row_of(model, "pue"), CostInputModel::Value);
  const QVariant before = pue.data(SortRole);
  QVERIFY(!model.setData(pue, QStringLiteral("0.5")));
  QVERIFY(!model.setData(pue, QStringLiteral("cold")));
  QCOMPARE(refused.count(), 2);
  QCOMPARE(refused.front().at(1).toString(), QStringLiteral("0.5 is out of range: expected from 1 to 10."));
  QCOMPARE(pue.data(SortRole), before);
}

void TablesTest::templates_are_listed() {
  TemplateModel model;
  QCOMPARE(model.rowCount(), static_cast<int>(data::embedded_scenario_names().size()));
  const int chat = row_of(model, "llm-chat");
  QCOMPARE(model.index(chat, TemplateModel::Title).data().toString(), QStringLiteral("Chat assistant on Llama-3.1-8B"));
  model.set_language(kChinese);
  QVERIFY(has_han(model.index(chat, TemplateModel::Title).data().toString()));
  QVERIFY(has_han(model.index(chat, TemplateModel::Contains).data().toString()));
}

void TablesTest::recent_files_remember_the_last_answer() {
  const QString store = folder_.file(QStringLiteral("recent.json"));
  const QString file = folder_.file(QStringLiteral("chat.weir"));
  {
    RecentFiles recent(store);
    Session session;
    recent.follow(session);
    make_small(session);
    session.save_as(file);
    QCOMPARE(recent.files(), QStringList{file});
    QCOMPARE(recent.index(0, RecentFiles::LastResult).data().toString(), QStringLiteral("no result yet"));
    session.set_result(decision_, session.revision());
  }
  RecentFiles recent(store);
  QCOMPARE(recent.rowCount(), 1);
  QCOMPARE(recent.index(0, RecentFiles::File).data().toString(), QStringLiteral("chat.weir"));
  QCOMPARE(recent.index(0, RecentFiles::LastResult).data().toString(),
           QString::fromStdString(reports::headline(decision_->plan, reports::Spelling::typographic)));
  recent.set_language(kChinese);
  QVERIFY(has_han(recent.index(0, RecentFiles::LastResult).data().toString()));
  for (int i = 0; i < 20; ++i) recent.add(folder_.file(QStringLiteral("f%1.weir").arg(i)));
  QCOMPARE(recent.rowCount(), int{RecentFiles::kMost});
  QVERIFY(recent.index(0, RecentFiles::File).data(ProblemRole).toBool());  // there is no such file
  recent.clear();
  QCOMPARE(RecentFiles(store).rowCount(), 0);
}

void TablesTest::settings_are_kept_and_tell() {
  const QString file = folder_.file(QStringLiteral("desktop.ini"));
  {
    Settings settings(file);
    QSignalSpy theme(&settings, &Settings::theme_changed), language(&settings, &Settings::language_changed);
    QCOMPARE(settings.theme(), ThemeChoice::system);
    settings.set_theme(ThemeChoice::dark);
    settings.set_theme(ThemeChoice::dark);
    QCOMPARE(theme.count(), 1);
    settings.set_language(kEnglish);
    settings.set_language(kChinese);
    QVERIFY(language.count() >= 1);
    settings.set_window_state(QStringLiteral("main"), "xyz");
  }
  Settings settings(file);
  QCOMPARE(settings.theme(), ThemeChoice::dark);
  QVERIFY(settings.language() == kChinese);
  QCOMPARE(settings.window_state(QStringLiteral("main")), QByteArray("xyz"));
  settings.set_language(std::nullopt);
  QVERIFY(!settings.language_choice());
}

void TablesTest::times_and_amounts_are_spelled() {
  const QDateTime now(QDate(2026, 11, 30), QTime(18, 0));
  const auto when = [&](const QDateTime& then, reports::Language language) { return when_text(then, now, language); };
  QCOMPARE(when(QDateTime(QDate(2026, 11, 30), QTime(13, 20)), kEnglish), QStringLiteral("today 13:20"));
  QCOMPARE(when(QDateTime(QDate(2026, 11, 29), QTime(9, 5)), kChinese), QStringLiteral("昨天 09:05"));
  QCOMPARE(when(QDateTime(QDate(2026, 5, 12), QTime(9, 5)), kEnglish), QStringLiteral("12 May"));
  QCOMPARE(when(QDateTime(QDate(2026, 5, 12), QTime(9, 5)), kChinese), QStringLiteral("5月12日"));
  QCOMPARE(when(QDateTime(QDate(2025, 5, 9), QTime(9, 5)), kEnglish), QStringLiteral("9 May 2025"));
  QCOMPARE(time_left_text(-1, kEnglish), QString());
  QCOMPARE(time_left_text(4.2, kEnglish), QStringLiteral("about 5 s left"));
  QCOMPARE(time_left_text(90, kChinese), QStringLiteral("约剩 2 分钟"));
  QVERIFY(money_text(835212, QStringLiteral("USD"), kChinese).contains(QStringLiteral("83.5")));
  QVERIFY(money_text(835212, QStringLiteral("USD"), kEnglish).contains(QStringLiteral("$835k")));
}

void TablesTest::the_translator_uses_the_same_words() {
  const Translator chinese(kChinese), english(kEnglish);
  QCOMPARE(chinese.translate("any", "Remove the trace", nullptr, -1), QStringLiteral("移除流量记录"));
  QVERIFY(chinese.translate("any", "no such words", nullptr, -1).isEmpty());
  QVERIFY(english.translate("any", "Remove the trace", nullptr, -1).isEmpty());
}

}  // namespace weir::desktop

QTEST_GUILESS_MAIN(weir::desktop::TablesTest)
#include "tables_test.moc"
