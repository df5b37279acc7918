#pragma once

#include <string>

#include <QFont>

#include "reports/charts/palette.h"
#include "reports/charts/scene.h"

class QPainter;
class QImage;

/// The QPainter back end of the charts: screen, PDF and PNG; works off the GUI thread too.
namespace weir::reports::qt {

/// Fonts need an application object; makes a windowless one for programs that have none. Safe to call more than once,
/// from the main thread. Throws data::SystemError when no usable font is installed.
void ensure_application();
/// True when a font with Chinese characters is installed.
bool has_han_font();

/// Where text goes. Paper has another Chinese font than the screen: one whose characters can be searched in a PDF.
enum class Medium { screen, paper };
/// The font of charts and documents: Noto Sans with a Chinese font behind it, `size` px high (units of the painter).
/// Bold means 600. On paper Chinese text has no bold.
QFont text_font(double size, bool bold, Medium medium);

/// Paints the scene with its origin at the painter's; 1 px of the scene is 1 unit of the painter. The canvas is not
/// filled.
void paint_scene(QPainter& painter, const charts::Scene& scene, charts::Theme theme);

/// The scene on its canvas colour, `pixels_per_px` device pixels a px.
QImage scene_image(const charts::Scene& scene, charts::Theme theme, double pixels_per_px = 1);
/// The bytes of a PNG file; the same scene gives the same bytes.
std::string scene_png(const charts::Scene& scene, charts::Theme theme, double pixels_per_px = 2);

}  // namespace weir::reports::qt
