#include "app/cli/progress_bar.h"

#include <unistd.h>

#include <chrono>
#include <cmath>
#include <iostream>
#include <memory>

#include "app/cli/interrupt.h"
#include "reports/format.h"

namespace weir::cli {
namespace {

using Clock = std::chrono::steady_clock;

class Bar {
 public:
  explicit Bar(reports::Language language) : language_(language) {}
  ~Bar() { wipe(); }

  void show(double fraction, std::string_view what) {
    const auto now = Clock::now();
    if (fraction < fraction_) begin_ = now;  // the next piece of work starts over
    fraction_ = fraction;
    if (fraction >= 1) {
      wipe();
      return;
    }
    if (shown_ && now - drawn_ < std::chrono::milliseconds(100)) return;
    drawn_ = now;
    draw(now, what);
  }

  void wipe() {
    if (shown_) std::cerr << "\r\033[K" << std::flush;
    shown_ = false;
  }

 private:
  void draw(Clock::time_point now, std::string_view what) {
    constexpr int kCells = 24;
    const int full = static_cast<int>(std::lround(fraction_ * kCells));
    std::string line = "[" + std::string(static_cast<std::size_t>(full), '#') +
                       std::string(static_cast<std::size_t>(kCells - full), '.') + "] " +
                       reports::percent(fraction_, 0) + " %";
    const double spent_s = std::chrono::duration<double>(now - begin_).count();
    if (fraction_ > 0.02 && spent_s > 1) {
      line += reports::say(language_, ", {time} left",
                           {{"time", reports::span_text(spent_s * (1 / fraction_ - 1), language_)}});
    }
    line += "  " + reports::cut_to_width(reports::translate(language_, what), 36);
    std::cerr << "\r\033[K" << line << std::flush;
    shown_ = true;
  }

  reports::Language language_;
  Clock::time_point begin_ = Clock::now(), drawn_{};
  double fraction_ = 0;
  bool shown_ = false;
};

}  // namespace

data::Progress make_progress(const CommonOptions& common) {
  const bool visible = !common.quiet && isatty(STDERR_FILENO) == 1;
  const auto bar = std::make_shared<Bar>(common.language);
  return [visible, bar](double fraction, std::string_view what) {
    if (interrupted()) {
      bar->wipe();
      return false;
    }
    if (visible) bar->show(fraction, what);
    return true;
  };
}

}  // namespace weir::cli
