#include "app/desktop/models/quantity.h"

#include <QRegularExpression>
#include <QVector>
#include <array>
#include <charconv>
#include <cmath>

namespace weir::desktop {
namespace {

/// value = number x 10^shift x factor.
struct Unit {
  QStringView name;
  int shift = 0;
  double factor = 1;
};

constexpr double kMinute_s = 60, kHour_s = 3600, kDay_s = 86400;
constexpr double kKibi = 1024;

constexpr std::array<Unit, 19> kTimes = {{{u"s"},
                                          {u"ms", -3},
                                          {u"us", -6},
                                          {u"µs", -6},
                                          {u"μs", -6},
                                          {u"ns", -9},
                                          {u"min", 0, kMinute_s},
                                          {u"m", 0, kMinute_s},
                                          {u"h", 0, kHour_s},
                                          {u"d", 0, kDay_s},
                                          {u"秒", 0},
                                          {u"毫秒", -3},
                                          {u"微秒", -6},
                                          {u"分", 0, kMinute_s},
                                          {u"分钟", 0, kMinute_s},
                                          {u"时", 0, kHour_s},
                                          {u"小时", 0, kHour_s},
                                          {u"天", 0, kDay_s},
                                          {u"sec", 0}}};
constexpr std::array<Unit, 13> kBytes = {{{u"b"},
                                          {u"kb", 3},
                                          {u"mb", 6},
                                          {u"gb", 9},
                                          {u"tb", 12},
                                          {u"k", 3},
                                          {u"m", 6},
                                          {u"g", 9},
                                          {u"t", 12},
                                          {u"kib", 0, kKibi},
                                          {u"mib", 0, kKibi* kKibi},
                                          {u"gib", 0, kKibi* kKibi* kKibi},
                                          {u"tib", 0, kKibi* kKibi* kKibi* kKibi}}};
constexpr std::array<Unit, 10> kMultipliers = {{{u"k", 3},
                                                {u"m", 6},
                                                {u"g", 9},
                                                {u"b", 9},
                                                {u"t", 12},
                                                {u"百", 2},
                                                {u"千", 3},
                                                {u"万", 4},
                                                {u"亿", 8},
                                                {u"萬", 4}}};

template <std::size_t N>
const Unit* find(const std::array<Unit, N>& units, QStringView name) {
  for (const Unit& unit : units) {
    if (unit.name.compare(name, Qt::CaseInsensitive) == 0) return &unit;
  }
  return nullptr;
}

/// Full-width forms become plain ones, blanks and signs the ones that are read here.
QString plain(const QString& text) {
  QString out;
  for (const QChar c : text.normalized(QString::NormalizationForm_KC)) {
    if (c == QChar(0x2212) || c == QChar(0x2013)) {
      out += QLatin1Char('-');
    } else if (c == QChar(0x3002)) {
      out += QLatin1Char('.');
    } else {
      out += c;
    }
  }
  return out.simplified();
}

/// "1,234.5" -> "1234.5": only where the marks stand at thousands.
QString without_groups(QString number) {
  static const QRegularExpression kGrouped(QStringLiteral("^([+-]?)(\\d{1,3})((?:[ ,'\\x{2019}]\\d{3})+)(\\.\\d+)?$"));
  if (kGrouped.match(number).hasMatch()) number.remove(QRegularExpression(QStringLiteral("[ ,'\\x{2019}]")));
  return number;
}

struct Parts {
  QString number, suffix;
};

std::optional<Parts> split(const QString& text) {
  static const QRegularExpression kForm(
      QStringLiteral("^([+-]? ?(?:\\d[\\d ,'\\x{2019}]*(?:\\.\\d*)?|\\.\\d+)(?:e[+-]?\\d+)?) ?(.*)$"),
      QRegularExpression::CaseInsensitiveOption);
  const auto match = kForm.match(text);
  if (!match.hasMatch()) return std::nullopt;
  QString number = match.captured(1).trimmed();
  number.replace(QRegularExpression(QStringLiteral("^([+-]) ")), QStringLiteral("\\1"));
  return Parts{without_groups(number), match.captured(2).trimmed()};
}

/// The decimal text times 10^shift, rounded once.
std::optional<double> read_decimal(const QString& number, int shift) {
  const qsizetype e = number.indexOf(QLatin1Char('e'), 0, Qt::CaseInsensitive);
  bool good = true;
  const int exponent = e < 0 ? 0 : number.mid(e + 1).toInt(&good);
  QByteArray text = (e < 0 ? number : number.left(e)).toLatin1();
  if (!good || text.contains(' ') || text.contains(',') || text.contains('\'')) return std::nullopt;
  text += 'e' + QByteArray::number(exponent + shift);
  const double value = text.toDouble(&good);  // never of the locale
  if (!good || !std::isfinite(value)) return std::nullopt;
  return value;
}

bool is_same_unit(QStringView a, const QString& b) {
  const auto bare = [](const QString& text) { return plain(text).remove(QLatin1Char(' ')); };
  return bare(a.toString()).compare(bare(b), Qt::CaseInsensitive) == 0;
}

/// Multipliers in front of the unit ("k", "千万"); what is left is the unit.
Unit take_multipliers(QString& suffix) {
  Unit all;
  while (!suffix.isEmpty()) {
    const Unit* one = find(kMultipliers, QStringView(suffix).left(1));
    if (one == nullptr) break;
    // "tokens" does not begin with tera: a letter counts only when no word goes on behind it.
    const bool letter = suffix.front().unicode() < 0x80;
    if (letter && suffix.size() > 1 && suffix.at(1).isLetter() && suffix.at(1).unicode() < 0x80) break;
    all.shift += one->shift;
    suffix = suffix.mid(1).trimmed();
    if (letter) break;
  }
  return all;
}

std::optional<Unit> unit_of(QString suffix, const QuantityRule& rule) {
  switch (rule.kind) {
    case QuantityKind::seconds:
    case QuantityKind::bytes: {
      if (suffix.isEmpty()) suffix = plain(rule.bare_unit);
      if (suffix.isEmpty()) return Unit{};
      const Unit* unit = rule.kind == QuantityKind::seconds ? find(kTimes, suffix) : find(kBytes, suffix);
      return unit != nullptr ? std::optional<Unit>(*unit) : std::nullopt;
    }
    case QuantityKind::share:
      if (suffix == QLatin1String("%")) return Unit{u"%", -2};
      if (!suffix.isEmpty()) return std::nullopt;
      return rule.bare_unit == QLatin1String("%") ? Unit{u"%", -2} : Unit{};
    case QuantityKind::number:
    case QuantityKind::count:
      break;
  }
  if (!suffix.isEmpty() && is_same_unit(suffix, rule.bare_unit)) return Unit{};
  const Unit multiplier = take_multipliers(suffix);
  if (suffix.isEmpty() || is_same_unit(suffix, rule.bare_unit)) return multiplier;
  return std::nullopt;
}

QString units_text(const QuantityRule& rule, reports::Language language) {
  const auto all = [&](const char* words) { return QString::fromStdString(reports::say(language, words)); };
  switch (rule.kind) {
    case QuantityKind::seconds:
      return all("us, ms, s, min, h or d");
    case QuantityKind::bytes:
      return all("MB, GB, TB, MiB, GiB or TiB");
    case QuantityKind::share:
      return QStringLiteral("%");
    case QuantityKind::number:
    case QuantityKind::count:
      break;
  }
  return rule.bare_unit.isEmpty() ? all("none, k, M or G") : rule.bare_unit;
}

/// The unit that values are shown in, and what it is worth.
Unit shown_unit(const QuantityRule& rule) {
  switch (rule.kind) {
    case QuantityKind::seconds:
    case QuantityKind::bytes:
      return unit_of({}, rule).value_or(Unit{});
    case QuantityKind::share:
      return Unit{u"%", -2};
    case QuantityKind::number:
    case QuantityKind::count:
      break;
  }
  return {};
}

/// The shortest decimal form of value x 10^shift, without an exponent where that stays readable.
QString shifted_text(double value, int shift) {
  std::array<char, 32> buffer{};
  const auto end = std::to_chars(buffer.data(), buffer.data() + buffer.size(), value, std::chars_format::scientific);
  QString text = QString::fromLatin1(buffer.data(), end.ptr - buffer.data());
  const qsizetype e = text.indexOf(QLatin1Char('e'));
  if (e < 0) return text;
  QString digits = text.left(e);
  const bool negative = digits.startsWith(QLatin1Char('-'));
  digits.remove(QLatin1Char('-')).remove(QLatin1Char('.'));
  const int exponent = value == 0 ? 0 : text.mid(e + 1).toInt() + shift;
  constexpr int kMostZeros = 15;
  if (exponent > kMostZeros || exponent < -kMostZeros) {
    if (digits.size() > 1) digits.insert(1, QLatin1Char('.'));
    digits += QLatin1Char('e') + QString::number(exponent);
  } else if (exponent < 0) {
    digits = QStringLiteral("0.") + QString(-exponent - 1, QLatin1Char('0')) + digits;
  } else if (digits.size() <= exponent + 1) {
    digits += QString(exponent + 1 - digits.size(), QLatin1Char('0'));
  } else {
    digits.insert(exponent + 1, QLatin1Char('.'));
  }
  return negative ? QLatin1Char('-') + digits : digits;
}

ParsedQuantity refuse(reports::Language language, const QuantityRule& rule, const char* with_range,
                      const char* without_range, const QString& shown) {
  const std::string value = shown.toStdString();
  const std::string range = range_text(rule, language).toStdString();
  const std::string words = range.empty() ? reports::say(language, without_range, {{"value", value}})
                                          : reports::say(language, with_range, {{"value", value}, {"range", range}});
  return {std::nullopt, QString::fromStdString(words)};
}

}  // namespace

QString quantity_text(double value, const QuantityRule& rule) {
  const Unit unit = shown_unit(rule);
  const QString number = unit.factor == 1 ? shifted_text(value, -unit.shift) : shifted_text(value / unit.factor, 0);
  const QString name = rule.kind == QuantityKind::share ? QStringLiteral("%") : rule.bare_unit;
  return name.isEmpty() ? number : number + QLatin1Char(' ') + name;
}

QString range_text(const QuantityRule& rule, reports::Language language) {
  const bool low = std::isfinite(rule.low), high = std::isfinite(rule.high);
  if (!low && !high) return {};
  const std::string from = low ? quantity_text(rule.low, rule).toStdString() : "";
  const std::string to = high ? quantity_text(rule.high, rule).toStdString() : "";
  std::string text;
  if (!high) {
    text = rule.low_open ? reports::say(language, "more than {low}", {{"low", from}})
                         : reports::say(language, "at least {low}", {{"low", from}});
  } else if (!low) {
    text = rule.high_open ? reports::say(language, "less than {high}", {{"high", to}})
                          : reports::say(language, "at most {high}", {{"high", to}});
  } else if (rule.low_open && rule.high_open) {
    text = reports::say(language, "more than {low}, less than {high}", {{"low", from}, {"high", to}});
  } else if (rule.low_open) {
    text = reports::say(language, "more than {low}, at most {high}", {{"low", from}, {"high", to}});
  } else if (rule.high_open) {
    text = reports::say(language, "at least {low}, less than {high}", {{"low", from}, {"high", to}});
  } else {
    text = reports::say(language, "from {low} to {high}", {{"low", from}, {"high", to}});
  }
  return QString::fromStdString(text);
}

ParsedQuantity parse_quantity(const QString& typed, const QuantityRule& rule, reports::Language language) {
  const QString text = plain(typed);
  if (text.isEmpty()) {
    if (rule.may_be_empty) return {};
    return refuse(language, rule, "Nothing is entered: expected {range}.", "Nothing is entered.", text);
  }
  const auto parts = split(text);
  const auto bare = parts ? read_decimal(parts->number, 0) : std::nullopt;
  if (!bare) {
    return refuse(language, rule, "\u201c{value}\u201d is not a number: expected {range}.",
                  "\u201c{value}\u201d is not a number.", typed.trimmed());
  }
  const auto unit = unit_of(parts->suffix, rule);
  if (!unit) {
    const std::string units = units_text(rule, language).toStdString();
    return {std::nullopt, QString::fromStdString(
                              reports::say(language, "The unit \u201c{unit}\u201d does not fit here: expected {units}.",
                                           {{"unit", parts->suffix.toStdString()}, {"units", units}}))};
  }
  const double value = read_decimal(parts->number, unit->shift).value_or(*bare) * unit->factor;
  const bool below = rule.low_open ? value <= rule.low : value < rule.low;
  const bool above = rule.high_open ? value >= rule.high : value > rule.high;
  if (below || above) {
    return refuse(language, rule, "{value} is out of range: expected {range}.", "{value} is out of range.",
                  quantity_text(value, rule));
  }
  if (rule.kind == QuantityKind::count && value != std::round(value)) {
    return refuse(language, rule, "{value} is not whole: expected a whole number, {range}.",
                  "{value} is not whole: expected a whole number.", quantity_text(value, rule));
  }
  return {value, {}};
}

}  // namespace weir::desktop
