#pragma once

#include <QColor>
#include <QFont>
#include <QObject>
#include <QPalette>

#include "reports/charts/palette.h"

namespace weir::desktop {

/// What the reader asked for; `system` follows the desktop's own palette as it was when the program started.
enum class Appearance { system, light, dark };

/// Colours of the interface, apart from data: what each is for stands in its name.
struct Tokens {
  QColor canvas, chrome, raised;  ///< pages and tables; bars around them; the inspector
  QColor text, text_quiet;        ///< values and names; captions, units
  QColor control;                 ///< borders of fields, rules below table heads: 3:1 at least
  QColor line, grid;              ///< separators and row rules: decoration only
  QColor selection;               ///< navigation and selected text, never under data marks
  QColor accent, on_accent;       ///< focus, primary button, links; text on it
  QColor problem;                 ///< always with a word and a sign
};

/// The look of the program: Fusion with our own palette, light or dark, switched while it runs. Widgets need not know
/// it: quiet text is the palette role PlaceholderText, problems BrightText, links Link, rules Mid and Midlight, field
/// borders Dark, the inspector's ground AlternateBase.
class Theme : public QObject {
  Q_OBJECT

 public:
  static Theme& instance();
  /// Once, after the application object exists: style, fonts, palette.
  void install();
  void set_appearance(Appearance appearance);
  Appearance appearance() const { return appearance_; }
  bool is_dark() const { return dark_; }
  const Tokens& tokens() const;
  reports::charts::Theme chart_theme() const;
  QColor colour(reports::charts::Role role) const;

 signals:
  void changed();

 private:
  Theme() = default;
  Appearance appearance_ = Appearance::system;
  bool system_dark_ = false, dark_ = false;
};

/// Interface pixels: `design` px at a body line of 18 px, grown with the font that is really used.
int px(double design);

QFont body_font();
QFont caption_font();  ///< 11 px beside a body of 13: captions, axes, table heads
QFont strong_font();
QFont strong_caption_font();
QFont title_font();  ///< the answer of a page and key figures

inline constexpr QPalette::ColorRole kQuietRole = QPalette::PlaceholderText;
inline constexpr QPalette::ColorRole kProblemRole = QPalette::BrightText;

}  // namespace weir::desktop
