#include <algorithm>
#include <cmath>
#include <numeric>

#include "reports/charts/frame.h"

namespace weir::reports::charts {
namespace {

/// Pieces that a line may end after: words with the blank behind them, and single Han characters with the punctuation
/// that must not begin a line.
std::vector<std::string> pieces(const std::string& text) {
  std::vector<std::string> out;
  bool open = false;  ///< the last piece takes more letters
  for (std::size_t at = 0; at < text.size();) {
    std::size_t length = 1;
    while (at + length < text.size() && (static_cast<unsigned char>(text[at + length]) & 0xC0U) == 0x80U) ++length;
    const std::string sign = text.substr(at, length);
    at += length;
    const bool han = length == 3 && static_cast<unsigned char>(sign[0]) >= 0xE3;
    const bool closes = sign == "，" || sign == "。" || sign == "）" || sign == "：" || sign == "；" || sign == "、";
    const bool opens = sign == "（";
    if (closes && !out.empty()) {
      out.back() += sign;
      open = false;
    } else if (open) {
      if (han && !opens && !out.back().ends_with("（")) {
        out.push_back(sign);
        open = false;
      } else if (opens) {
        out.push_back(sign);
      } else {
        out.back() += sign;
        open = sign != " " && !han;
      }
    } else {
      out.push_back(sign);
      open = (!han || opens) && sign != " ";
    }
  }
  return out;
}

std::string without_end_blank(std::string line) {
  while (!line.empty() && line.back() == ' ') line.pop_back();
  return line;
}

}  // namespace

std::vector<std::string> wrap(const std::string& text, double width, double size, bool bold) {
  std::vector<std::string> lines;
  std::string line;
  for (const std::string& piece : pieces(text)) {
    if (!line.empty() && text_width(without_end_blank(line + piece), size, bold) > width) {
      lines.push_back(without_end_blank(line));
      line.clear();
    }
    line += piece;
  }
  line = without_end_blank(line);
  if (!line.empty()) lines.push_back(line);
  return lines;
}

double draw_title(Scene& scene, const std::string& title, double width, double y) {
  double at = y;
  for (const std::string& line : wrap(title, width, kTextSize, true)) {
    scene.add(Text{{0, at + 12}, line, kTextSize, Anchor::start, Role::text, true, false});
    at += kLineHeight;
  }
  return at + kTitleHeight - kLineHeight;
}

Rect read_out_strip(const std::string& title, double width, double y) {
  const std::vector<std::string> lines = wrap(title, width, kTextSize, true);
  const double taken = lines.size() == 1 ? text_width(title, kTextSize, true) + 16 : 0;
  const double left = std::min(taken, width);
  return {left, y, width - left, 17, {}, {}, 0};
}

void draw_corner_label(Scene& scene, const std::string& label, double left, double right, double top) {
  double y = top + 14;
  const std::vector<std::string> lines = wrap(label, right - left - 8, kTextSize);
  const bool fits = std::all_of(lines.begin(), lines.end(), [&](const std::string& line) {
    return text_width(line, kTextSize) <= right - left - 6;
  });
  if (!fits) return;
  for (const std::string& line : lines) {
    scene.add(Text{{right - 4, y}, line, kTextSize, Anchor::end, Role::text, false, true});
    y += kLineHeight - 1;
  }
}

std::vector<double> spread(std::vector<double> wanted, double gap, double low, double high) {
  std::vector<std::size_t> order(wanted.size());
  std::iota(order.begin(), order.end(), std::size_t{0});
  std::stable_sort(order.begin(), order.end(), [&](auto a, auto b) { return wanted[a] < wanted[b]; });
  double free_from = low;
  for (const std::size_t i : order) {
    wanted[i] = std::max(wanted[i], free_from);
    free_from = wanted[i] + gap;
  }
  double free_to = high;
  for (auto it = order.rbegin(); it != order.rend(); ++it) {
    wanted[*it] = std::min(wanted[*it], free_to);
    free_to = wanted[*it] - gap;
  }
  return wanted;
}

void draw_end_labels(Scene& scene, const Frame& frame, const std::vector<EndLabel>& labels) {
  std::vector<double> at;
  std::vector<EndLabel> shown;
  for (const EndLabel& label : labels) {
    const double y = frame.y(label.value);
    if (!frame.shows({frame.right(), y})) continue;  // zoomed away
    at.push_back(y);
    shown.push_back(label);
  }
  const std::vector<double> placed = spread(at, kLineHeight, frame.top() + 2, frame.bottom() - 2);
  for (std::size_t i = 0; i < shown.size(); ++i) {
    const bool moved = std::fabs(placed[i] - at[i]) > 3;
    if (moved) {
      scene.add(Line{{frame.right() + 1, at[i]}, {frame.right() + 8, placed[i]}, {Role::control, 1, Dash::solid}});
    }
    scene.add(Text{{frame.right() + 10, placed[i] + 4},
                   shown[i].text,
                   kTextSize,
                   Anchor::start,
                   Role::text,
                   shown[i].bold,
                   false});
  }
}

}  // namespace weir::reports::charts
