#include "app/desktop/views/theme.h"

#include <QApplication>
#include <QFontMetrics>
#include <QToolTip>

#include "app/desktop/views/style.h"

namespace weir::desktop {
namespace {

const Tokens kLight{QColor(0xFFFFFF), QColor(0xF3F4F5), QColor(0xFAFAFA), QColor(0x1C2024),
                    QColor(0x565D66), QColor(0x868D96), QColor(0xDADDE1), QColor(0xE8EAED),
                    QColor(0xE3EFF7), QColor(0x0072B2), QColor(0xFFFFFF), QColor(0xA84300)};
const Tokens kDark{QColor(0x1E1F22), QColor(0x17181A), QColor(0x26282B), QColor(0xE7E8EA),
                   QColor(0xA6ABB3), QColor(0x787E87), QColor(0x36393E), QColor(0x2D3034),
                   QColor(0x22384A), QColor(0x56B4E9), QColor(0x10222E), QColor(0xF0A35E)};

QPalette palette_of(const Tokens& tokens) {
  QPalette palette;
  palette.setColor(QPalette::Window, tokens.chrome);
  palette.setColor(QPalette::WindowText, tokens.text);
  palette.setColor(QPalette::Base, tokens.canvas);
  palette.setColor(QPalette::AlternateBase, tokens.raised);
  palette.setColor(QPalette::Text, tokens.text);
  palette.setColor(QPalette::PlaceholderText, tokens.text_quiet);
  palette.setColor(QPalette::Button, tokens.canvas);
  palette.setColor(QPalette::ButtonText, tokens.text);
  palette.setColor(QPalette::BrightText, tokens.problem);
  palette.setColor(QPalette::Light, tokens.canvas);
  palette.setColor(QPalette::Midlight, tokens.grid);
  palette.setColor(QPalette::Mid, tokens.line);
  palette.setColor(QPalette::Dark, tokens.control);
  palette.setColor(QPalette::Shadow, tokens.line);
  palette.setColor(QPalette::Highlight, tokens.selection);
  palette.setColor(QPalette::HighlightedText, tokens.text);
  palette.setColor(QPalette::Link, tokens.accent);
  palette.setColor(QPalette::LinkVisited, tokens.accent);
  palette.setColor(QPalette::ToolTipBase, tokens.raised);
  palette.setColor(QPalette::ToolTipText, tokens.text);
  for (const QPalette::ColorRole role : {QPalette::WindowText, QPalette::Text, QPalette::ButtonText}) {
    palette.setColor(QPalette::Disabled, role, tokens.control);
  }
  return palette;
}

}  // namespace

Theme& Theme::instance() {
  static Theme theme;
  return theme;
}

void Theme::install() {
  // The platform's palette says what the desktop looks like; after our own is set it is gone.
  system_dark_ = QApplication::palette().color(QPalette::Window).lightness() < 128;
  QFont font;
  font.setFamilies({QStringLiteral("Noto Sans"), QStringLiteral("Noto Sans CJK SC"),
                    QStringLiteral("WenQuanYi Zen Hei"), QStringLiteral("DejaVu Sans")});
  font.setPointSizeF(10);
  font.setHintingPreference(QFont::PreferVerticalHinting);
  QApplication::setFont(font);
  QApplication::setStyle(new Style);
  set_appearance(appearance_);
}

void Theme::set_appearance(Appearance appearance) {
  appearance_ = appearance;
  dark_ = appearance == Appearance::dark || (appearance == Appearance::system && system_dark_);
  QApplication::setPalette(palette_of(tokens()));
  QToolTip::setPalette(palette_of(tokens()));
  QToolTip::setFont(body_font());
  emit changed();
}

const Tokens& Theme::tokens() const { return dark_ ? kDark : kLight; }

reports::charts::Theme Theme::chart_theme() const {
  return dark_ ? reports::charts::Theme::dark : reports::charts::Theme::light;
}

QColor Theme::colour(reports::charts::Role role) const {
  const reports::charts::Colour colour = reports::charts::colour(role, chart_theme());
  return {colour.red, colour.green, colour.blue};
}

int px(double design) {
  static QFont measured;
  static double scale = 0;
  if (scale == 0 || measured != QApplication::font()) {
    measured = QApplication::font();
    scale = QFontMetricsF(measured).height() / 18.0;
    if (scale > 0.97 && scale < 1.06) scale = 1;  // the design's own size: keep its whole pixels
  }
  return qRound(design * scale);
}

QFont body_font() { return QApplication::font(); }

QFont caption_font() {
  QFont font = body_font();
  font.setPointSizeF(font.pointSizeF() * 0.845);
  return font;
}

QFont strong_font() {
  QFont font = body_font();
  font.setWeight(QFont::DemiBold);
  return font;
}

QFont strong_caption_font() {
  QFont font = caption_font();
  font.setWeight(QFont::DemiBold);
  return font;
}

QFont title_font() {
  QFont font = strong_font();
  font.setPointSizeF(font.pointSizeF() * 1.5);
  return font;
}

}  // namespace weir::desktop
