#include "reports/charts/svg.h"

#include <string_view>

#include "reports/format.h"

namespace weir::reports::charts {
namespace {

/// A tenth of a pixel is finer than anyone sees; shorter files, and the same on every machine.
std::string px(double value) {
  std::string text = fixed(value, 1);
  if (text.size() > 2 && text.ends_with(".0")) text.resize(text.size() - 2);
  return text;
}

class Writer {
 public:
  explicit Writer(Theme theme) : theme_(theme) {}

  void operator()(const Line& line) {
    out_ += "<path d=\"M" + point(line.from) + "L" + point(line.to) + "\"" + stroke(line.stroke) + "/>\n";
  }
  void operator()(const Polyline& line) {
    if (line.points.size() < 2) return;
    out_ +=
        "<path d=\"" + path(line.points) + "\" fill=\"none\" stroke-linejoin=\"round\"" + stroke(line.stroke) + "/>\n";
  }
  void operator()(const Polygon& polygon) {
    if (polygon.points.size() < 3) return;
    out_ += "<path d=\"" + path(polygon.points) + "Z\"" + fill(polygon.fill) + stroke(polygon.stroke) + "/>\n";
  }
  void operator()(const Rect& rect) {
    out_ += "<rect x=\"" + px(rect.x) + "\" y=\"" + px(rect.y) + "\" width=\"" + px(rect.width) + "\" height=\"" +
            px(rect.height) + "\"";
    if (rect.radius > 0) out_ += " rx=\"" + px(rect.radius) + "\"";
    out_ += fill(rect.fill) + stroke(rect.stroke) + "/>\n";
  }
  void operator()(const Circle& circle) {
    out_ += "<circle cx=\"" + px(circle.centre.x) + "\" cy=\"" + px(circle.centre.y) + "\" r=\"" + px(circle.radius) +
            "\"" + fill(circle.fill) + stroke(circle.stroke) + "/>\n";
  }
  void operator()(const Text& text) {
    constexpr std::string_view kAnchors[] = {"start", "middle", "end"};
    out_ += "<text x=\"" + px(text.at.x) + "\" y=\"" + px(text.at.y) + "\" font-size=\"" + px(text.size) + "\"";
    if (text.anchor != Anchor::start) {
      out_ += " text-anchor=\"" + std::string(kAnchors[static_cast<int>(text.anchor)]) + "\"";
    }
    if (text.bold) out_ += " font-weight=\"600\"";
    if (text.halo) {
      out_ +=
          " paint-order=\"stroke\" stroke-width=\"3\" stroke-linejoin=\"round\" stroke=\"" + hex(Role::canvas) + "\"";
    }
    out_ += " fill=\"" + hex(text.role) + "\">" + escape_markup(text.text) + "</text>\n";
  }

  std::string take() { return std::move(out_); }

 private:
  std::string hex(Role role) const { return to_hex(colour(role, theme_)); }

  static std::string point(const Point& p) { return px(p.x) + " " + px(p.y); }

  static std::string path(const std::vector<Point>& points) {
    std::string d;
    for (std::size_t i = 0; i < points.size(); ++i) d += (i == 0 ? "M" : "L") + point(points[i]);
    return d;
  }

  std::string fill(const Fill& f) const {
    if (f.role == Role::none && f.shade < 0) return " fill=\"none\"";
    std::string text = " fill=\"" + to_hex(fill_colour(f, theme_)) + "\"";
    if (f.opacity < 1) text += " fill-opacity=\"" + shortest(f.opacity) + "\"";
    return text;
  }

  std::string stroke(const Stroke& s) const {
    if (s.role == Role::none) return "";
    std::string text = " stroke=\"" + hex(s.role) + "\" stroke-width=\"" + shortest(s.width) + "\"";
    switch (s.dash) {
      case Dash::solid:
        break;
      case Dash::dashed:
        text += " stroke-dasharray=\"7 3\"";
        break;
      case Dash::dash_dot:
        text += " stroke-dasharray=\"8 3 2 3\"";
        break;
      case Dash::dotted:
        text += " stroke-dasharray=\"1.5 2.5\"";
        break;
    }
    return text;
  }

  Theme theme_;
  std::string out_;
};

}  // namespace

std::string to_svg(const Scene& scene, const std::string& id, Theme theme) {
  Writer writer(theme);
  for (const Primitive& item : scene.items) std::visit(writer, item);
  return "<svg xmlns=\"http://www.w3.org/2000/svg\" viewBox=\"0 0 " + px(scene.width) + " " + px(scene.height) +
         "\" width=\"" + px(scene.width) + "\" height=\"" + px(scene.height) + "\" role=\"img\" aria-labelledby=\"" +
         escape_markup(id) + "-title " + escape_markup(id) +
         "-desc\" font-family=\"'Noto Sans', 'Segoe UI', 'Helvetica Neue', Arial, 'Noto Sans CJK SC', 'WenQuanYi Zen "
         "Hei', sans-serif\">\n<title id=\"" +
         escape_markup(id) + "-title\">" + escape_markup(scene.title) + "</title>\n<desc id=\"" + escape_markup(id) +
         "-desc\">" + escape_markup(scene.summary) + "</desc>\n" + writer.take() + "</svg>\n";
}

}  // namespace weir::reports::charts
