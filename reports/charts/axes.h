#pragma once

#include <optional>
#include <string>
#include <vector>

#include "reports/charts/money_axis.h"
#include "reports/charts/ticks.h"
#include "reports/language.h"

namespace weir::reports::charts {

/// One axis of a plot, in data units.
struct Axis {
  Range range;  ///< what is shown
  std::vector<Tick> ticks;
  std::string title;  ///< quantity (unit)
  bool logarithmic = false;
  std::optional<Range> all = std::nullopt;  ///< what there is to show, where a view shows less
};

/// The view cut to what there is; all of it without a view.
Range visible(const Range& all, const std::optional<Range>& view);

using View = std::optional<Range>;
Axis linear_axis(const Range& all, const View& view, int wanted, std::string title = "");
Axis log_axis(const Range& all, const View& view, int wanted, std::string title = "");
/// Amounts: `all` in whole units of currency, labels in the scale's.
Axis money_axis(const Range& all, const View& view, const MoneyScale& scale, int wanted);
/// Shares in [0, 1] with labels in percent, without the sign on a linear axis.
Axis share_axis(const Range& all, const View& view, int wanted);
Axis log_share_axis(const Range& all, const View& view, int wanted);
Axis month_axis(int months, const View& view, int wanted, Language language);

/// What a stretch of time is counted in.
struct TimeUnit {
  double seconds = 1;
  const char* title = "";    ///< English, for say(): "Hour of the run"
  const char* reading = "";  ///< English, for say(): "hour {number}"
};
TimeUnit time_unit(double span_s);
/// `all` in seconds; labels count in the unit that suits its span.
Axis time_axis(const Range& all, const View& view, int wanted, Language language);
/// Seconds since midnight; labels "06:00", or "06:00:30" when seconds matter.
Axis clock_axis(const Range& all, const View& view, int wanted, std::string title);
std::string clock_text(double seconds_of_day, bool with_seconds);

/// "…, log scale" in words of the language.
std::string log_title(const std::string& title, Language language);
/// As many ticks as suit an axis of this length, px.
int ticks_for(double length, double room_each, int most = 5);

}  // namespace weir::reports::charts
