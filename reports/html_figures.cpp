#include "reports/charts/svg.h"
#include "reports/format.h"
#include "reports/html_parts.h"

namespace weir::reports::html {
namespace {

/// A figure is laid out twice: for the screen, and smaller for an A4 page, so that its text has the same size as the
/// text around it in both.
struct Medium {
  const char* css_class;
  const char* id_end;
  double half_width, whole_width, height_share;
};
constexpr Medium kScreen{"screen", "", 544, 1124, 1.0};
constexpr Medium kPaper{"paper", "p", 326, 680, 0.74};

std::string panels(const document::Figure& figure, const Medium& medium, const std::string& id, Language language) {
  charts::Layout layout;
  layout.language = language;
  layout.width = figure.wide ? medium.whole_width : medium.half_width;
  layout.height = figure.height * medium.height_share;
  const std::vector<charts::Scene> scenes = figure.draw(layout);
  std::string out;
  for (std::size_t i = 0; i < scenes.size(); ++i) {
    const std::string own = id + medium.id_end + (scenes.size() > 1 ? std::string(1, static_cast<char>('a' + i)) : "");
    std::string svg = charts::to_svg(scenes[i], own);
    out += svg.insert(4, " class=\"" + std::string(medium.css_class) + "\"");
  }
  return scenes.size() > 1 ? "<div class=\"pair " + std::string(medium.css_class) + "\">" + out + "</div>" : out;
}

}  // namespace

std::string figures(const document::Figures& figures, Language language, int& count) {
  std::string out = "<div class=\"charts\">\n";
  for (const document::Figure& figure : figures.figures) {
    const std::string number = std::to_string(++count);
    out += figure.wide ? "<figure class=\"wide\">" : "<figure>";
    out += panels(figure, kScreen, "fig" + number, language) + panels(figure, kPaper, "fig" + number, language);
    out += "<figcaption>" + escape_markup(say(language, "Figure {n}.", {{"n", number}})) + " " +
           escape_markup(figure.caption) + "</figcaption></figure>\n";
  }
  return out + "</div>\n";
}

}  // namespace weir::reports::html
