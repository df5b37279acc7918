#pragma once

#include <QDateTime>
#include <QString>

#include "data/evidence.h"
#include "data/scenario.h"
#include "reports/language.h"

namespace weir::desktop {

/// A finished English sentence of a room below, in the language.
QString words(reports::Language language, const std::string& english);
QString words(reports::Language language, const QString& english);

/// Three significant digits, grouped: "1,230", "0.0412".
QString number_text(double value, int digits = 3);
/// Amount with its currency, rounded: "$835k"; "83.5 万美元".
QString money_text(double amount, const QString& currency, reports::Language language);
/// A value in a catalogue unit: "0.083 USD/kWh", "12 %".
QString value_text(double value, const QString& unit, reports::Language language);
/// "today 13:20", "12 May", "9 May 2025"; "今天 13:20", "5月12日".
QString when_text(const QDateTime& when, const QDateTime& now, reports::Language language);
/// Time left: "about 5 s left", "2 min left"; empty when it is not known (< 0).
QString time_left_text(double seconds, reports::Language language);
/// "measured", "published", "fitted", "datasheet", "assumed".
QString evidence_text(data::Evidence evidence, reports::Language language);
/// Title of a scenario, else its name.
QString title_of(const data::Scenario& scenario, reports::Language language);

}  // namespace weir::desktop
