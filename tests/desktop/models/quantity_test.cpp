#include "app/desktop/models/quantity.h"

#include <QtTest>
#include <cmath>

Q_DECLARE_METATYPE(weir::desktop::QuantityKind)

namespace weir::desktop {

class QuantityTest : public QObject {
  Q_OBJECT

 private slots:
  void reads_data();
  void reads();
  void refuses_data();
  void refuses();
  void says_what_is_valid();
  void shows_what_it_reads_back();
};

void QuantityTest::reads_data() {
  QTest::addColumn<QuantityKind>("kind");
  QTest::addColumn<QString>("unit");
  QTest::addColumn<QString>("text");
  QTest::addColumn<double>("value");
  const auto row = [](const char* name, QuantityKind kind, const char* unit, const char* text, double value) {
    QTest::newRow(name) << kind << QString::fromUtf8(unit) << QString::fromUtf8(text) << value;
  };
  using enum QuantityKind;
  row("plain", number, "", "12.5", 12.5);
  row("signed", number, "", "−3", -3);
  row("exponent", number, "", "3e-2", 0.03);
  row("k", number, "", "1.5k", 1500);
  row("k apart", number, "", " 1.5 K ", 1500);
  row("million", number, "", "2M", 2e6);
  row("wan", number, "", "1.5万", 15000);
  row("yi", number, "", "2 亿", 2e8);
  row("thousand wan", number, "", "3千万", 3e7);
  row("wan yi", number, "", "1万亿", 1e12);
  row("full-width", number, "", "１２．５", 12.5);
  row("full-width grouped", number, "", "１，２３４", 1234);
  row("grouped", number, "", "1,234,567.5", 1234567.5);
  row("grouped by blanks", number, "", "12 345", 12345);
  row("own unit", number, "tokens", "1.5k tokens", 1500);
  row("own unit with slash", number, "req/s", "22.4 req/s", 22.4);
  row("own unit in Chinese", number, "美元", "3 万美元", 30000);
  row("count", count, "", "2k", 2000);
  row("ms", seconds, "s", "5 ms", 0.005);
  row("ms bare", seconds, "ms", "50", 0.05);
  row("us", seconds, "ms", "250 µs", 0.00025);
  row("min", seconds, "s", "2 min", 120);
  row("hour", seconds, "ms", "1.5 h", 5400);
  row("Chinese ms", seconds, "s", "50毫秒", 0.05);
  row("Chinese min", seconds, "s", "3分钟", 180);
  row("exact", seconds, "ms", "1.1", 0.0011);
  row("GB", bytes, "", "80 GB", 80e9);
  row("gb", bytes, "", "80gb", 80e9);
  row("GiB", bytes, "", "16 GiB", 17179869184.0);
  row("bytes bare", bytes, "GB", "80", 80e9);
  row("G", bytes, "", "80G", 80e9);
  row("percent", share, "", "12 %", 0.12);
  row("percent exact", share, "%", "7%", 0.07);
  row("full-width percent", share, "", "１２％", 0.12);
  row("share", share, "", "0.12", 0.12);
  row("bare percent", share, "%", "0.5", 0.005);
}

void QuantityTest::reads() {
  QFETCH(QuantityKind, kind);
  QFETCH(QString, unit);
  QFETCH(QString, text);
  QFETCH(double, value);
  QuantityRule rule;
  rule.kind = kind;
  rule.bare_unit = unit;
  const ParsedQuantity parsed = parse_quantity(text, rule, reports::Language::en);
  QVERIFY2(parsed.value, qPrintable(parsed.error));
  QVERIFY(parsed.error.isEmpty());
  QVERIFY2(*parsed.value == value, qPrintable(QString::number(*parsed.value, 'g', 17)));
}

void QuantityTest::refuses_data() {
  QTest::addColumn<QuantityKind>("kind");
  QTest::addColumn<QString>("text");
  using enum QuantityKind;
  for (const char* text : {"", "x", "1.5.2", "1,5", "12,34,567", "--3", "5 apples", "1e999", "0x10", "nan", "inf"}) {
    QTest::newRow(text) << number << QString::fromUtf8(text);
  }
  QTest::newRow("half a replica") << count << QStringLiteral("2.5");
  QTest::newRow("bytes as time") << seconds << QStringLiteral("5 GB");
  QTest::newRow("time as bytes") << bytes << QStringLiteral("5 ms");
  QTest::newRow("unit in a share") << share << QStringLiteral("5 ms");
}

void QuantityTest::refuses() {
  QFETCH(QuantityKind, kind);
  QFETCH(QString, text);
  QuantityRule rule;
  rule.kind = kind;
  for (const auto language : {reports::Language::en, reports::Language::zh_CN}) {
    const ParsedQuantity parsed = parse_quantity(text, rule, language);
    QVERIFY(!parsed.value);
    QVERIFY(!parsed.error.isEmpty());
    QVERIFY(!parsed.error.contains(QLatin1Char('{')));
  }
}

void QuantityTest::says_what_is_valid() {
  QuantityRule rule;
  rule.kind = QuantityKind::seconds;
  rule.bare_unit = QStringLiteral("ms");
  rule.low = 0;
  rule.low_open = true;
  rule.high = 10;
  const auto error = [&](const char* text, reports::Language language = reports::Language::en) {
    return parse_quantity(QString::fromUtf8(text), rule, language).error;
  };
  QCOMPARE(error("0"), QStringLiteral("0 ms is out of range: expected more than 0 ms, at most 10000 ms."));
  QCOMPARE(error("11 s"), QStringLiteral("11000 ms is out of range: expected more than 0 ms, at most 10000 ms."));
  QCOMPARE(error("soon"), QStringLiteral("“soon” is not a number: expected more than 0 ms, at most 10000 ms."));
  QCOMPARE(error("3 kg"), QStringLiteral("The unit “kg” does not fit here: expected us, ms, s, min, h or d."));
  QCOMPARE(error("0", reports::Language::zh_CN), QStringLiteral("0 ms 超出范围：应大于 0 ms，不超过 10000 ms。"));
  QVERIFY(parse_quantity(QStringLiteral("10 s"), rule, reports::Language::en).value);
  QVERIFY(!error("").isEmpty());
  rule.may_be_empty = true;
  QVERIFY(error("").isEmpty());
  QVERIFY(!parse_quantity({}, rule, reports::Language::en).value);
}

void QuantityTest::shows_what_it_reads_back() {
  for (const auto& [kind, unit] :
       std::vector<std::pair<QuantityKind, QString>>{{QuantityKind::number, {}},
                                                     {QuantityKind::number, QStringLiteral("req/s")},
                                                     {QuantityKind::seconds, QStringLiteral("ms")},
                                                     {QuantityKind::seconds, QStringLiteral("s")},
                                                     {QuantityKind::bytes, QStringLiteral("GB")},
                                                     {QuantityKind::share, QStringLiteral("%")}}) {
    QuantityRule rule;
    rule.kind = kind;
    rule.bare_unit = unit;
    for (const double value : {0.0, 0.1, 0.07, 1.0 / 3, 12.0, 0.0011, 123456.75, 8e10, 2.5e-7, 1e21, -4.2}) {
      const QString text = quantity_text(value, rule);
      const ParsedQuantity parsed = parse_quantity(text, rule, reports::Language::en);
      QVERIFY2(parsed.value == value, qPrintable(text + QStringLiteral(": ") + parsed.error));
    }
  }
  QuantityRule ms;
  ms.kind = QuantityKind::seconds;
  ms.bare_unit = QStringLiteral("ms");
  QCOMPARE(quantity_text(0.05, ms), QStringLiteral("50 ms"));
  QuantityRule share;
  share.kind = QuantityKind::share;
  share.bare_unit = QStringLiteral("%");
  QCOMPARE(quantity_text(0.1, share), QStringLiteral("10 %"));
}

}  // namespace weir::desktop

QTEST_GUILESS_MAIN(weir::desktop::QuantityTest)
#include "quantity_test.moc"
