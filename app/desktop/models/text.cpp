#include "app/desktop/models/text.h"

#include <QLocale>
#include <algorithm>
#include <cmath>

#include "reports/decision_view.h"
#include "reports/format.h"

namespace weir::desktop {
namespace {

constexpr double kMinute_s = 60, kHour_s = 3600;

QString said(reports::Language language, const char* english, reports::Values values = {}) {
  return QString::fromStdString(reports::say(language, english, values));
}

QString month_name(int month, reports::Language language) {
  const QLocale locale(language == reports::Language::zh_CN ? QLocale::Chinese : QLocale::English);
  return locale.monthName(month, QLocale::ShortFormat);
}

}  // namespace

QString words(reports::Language language, const std::string& english) {
  return QString::fromStdString(reports::translate(language, english));
}

QString words(reports::Language language, const QString& english) { return words(language, english.toStdString()); }

QString number_text(double value, int digits) {
  return QString::fromStdString(reports::trimmed(value, digits, reports::Spelling::typographic));
}

QString money_text(double amount, const QString& currency, reports::Language language) {
  (void)language;
  return QString::fromStdString(reports::money_short(amount, currency.toStdString(), reports::Spelling::typographic));
}

QString value_text(double value, const QString& unit, reports::Language language) {
  const QString number = number_text(value, 4);
  if (unit.isEmpty()) return number;
  return number + QChar(0xa0) + words(language, unit);
}

QString when_text(const QDateTime& when, const QDateTime& now, reports::Language language) {
  const QDateTime local = when.toLocalTime();
  const QDate day = local.date(), today = now.toLocalTime().date();
  const std::string time = local.toString(QStringLiteral("HH:mm")).toStdString();
  if (day == today) return said(language, "today {time}", {{"time", time}});
  if (day.addDays(1) == today) return said(language, "yesterday {time}", {{"time", time}});
  const std::string month = month_name(day.month(), language).toStdString();
  const std::string number = std::to_string(day.day()), year = std::to_string(day.year());
  if (day.year() == today.year()) return said(language, "{day} {month}", {{"day", number}, {"month", month}});
  return said(language, "{day} {month} {year}", {{"day", number}, {"month", month}, {"year", year}});
}

QString time_left_text(double seconds, reports::Language language) {
  if (!(seconds >= 0)) return {};
  const auto whole = [](double value) { return std::to_string(std::llround(std::max(1.0, std::ceil(value)))); };
  if (seconds < kMinute_s) return said(language, "about {seconds} s left", {{"seconds", whole(seconds)}});
  if (seconds < kHour_s) return said(language, "about {minutes} min left", {{"minutes", whole(seconds / kMinute_s)}});
  return said(language, "about {hours} h left", {{"hours", whole(seconds / kHour_s)}});
}

QString evidence_text(data::Evidence evidence, reports::Language language) {
  return QString::fromStdString(reports::evidence_word(evidence, language));
}

QString title_of(const data::Scenario& scenario, reports::Language language) {
  return QString::fromStdString(reports::in_language(language, scenario.title, scenario.name));
}

}  // namespace weir::desktop
