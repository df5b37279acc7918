#include "app/desktop/views/about.h"

#include <QApplication>
#include <QDialog>
#include <QGridLayout>
#include <QMainWindow>
#include <QMenu>
#include <QMenuBar>
#include <QRegularExpression>
#include <QVBoxLayout>
#include <functional>
#include <utility>
#include <vector>

#include "app/desktop/views/labels.h"
#include "app/desktop/views/theme.h"

namespace weir::desktop {
namespace {

QDialog* make_dialog(QMainWindow* window, const QString& title) {
  auto* dialog = new QDialog(window);
  dialog->setAttribute(Qt::WA_DeleteOnClose);
  dialog->setWindowTitle(title);
  auto* column = new QVBoxLayout(dialog);
  column->setContentsMargins(px(20), px(16), px(20), px(16));
  column->setSpacing(px(8));
  column->addWidget(make_label(title, Tone::title));
  return dialog;
}

QGridLayout* add_pairs(QDialog* dialog, const std::vector<std::pair<QString, QString>>& pairs) {
  auto* grid = new QGridLayout;
  grid->setHorizontalSpacing(px(20));
  grid->setVerticalSpacing(px(4));
  int row = 0;
  for (const auto& [left, right] : pairs) {
    grid->addWidget(make_label(left, Tone::body), row, 0);
    grid->addWidget(make_label(right, Tone::quiet), row++, 1);
  }
  static_cast<QVBoxLayout*>(dialog->layout())->addLayout(grid);
  return grid;
}

void add_close(QDialog* dialog) {
  QPushButton* close = make_button(QObject::tr("Close"), true);
  QObject::connect(close, &QPushButton::clicked, dialog, &QDialog::accept);
  static_cast<QVBoxLayout*>(dialog->layout())->addWidget(close, 0, Qt::AlignRight);
}

}  // namespace

void show_about(QMainWindow* window) {
  QDialog* dialog = make_dialog(window, QObject::tr("About Weir"));
  auto* column = static_cast<QVBoxLayout*>(dialog->layout());
  column->addWidget(make_label(QObject::tr("Capacity planning and total cost for GPU inference. Version %1.")
                                   .arg(QApplication::applicationVersion()),
                               Tone::body, true));
  column->addWidget(make_label(QObject::tr("Weir sends nothing anywhere and needs no network."), Tone::quiet, true));
  column->addSpacing(px(8));
  column->addWidget(make_label(QObject::tr("Licences"), Tone::strong));
  add_pairs(dialog,
            {{QObject::tr("Weir"), QStringLiteral("Apache-2.0")},
             {QStringLiteral("Qt %1").arg(QLatin1String(qVersion())), QObject::tr("LGPL-3.0, linked dynamically")},
             {QStringLiteral("SQLite"), QObject::tr("public domain")},
             {QStringLiteral("nlohmann-json"), QStringLiteral("MIT")},
             {QStringLiteral("libqpdf"), QStringLiteral("Apache-2.0")},
             {QStringLiteral("libxlsxwriter"), QStringLiteral("BSD-2-Clause")},
             {QStringLiteral("Boost"), QStringLiteral("BSL-1.0")},
             {QObject::tr("Noto fonts"), QStringLiteral("OFL-1.1")},
             {QStringLiteral("WenQuanYi Zen Hei"), QObject::tr("GPL-2.0 with font exception")}});
  add_close(dialog);
  dialog->show();
}

void show_shortcuts(QMainWindow* window) {
  std::vector<std::pair<QString, QString>> pairs;
  const std::function<void(const QMenu*)> collect = [&](const QMenu* menu) {
    for (const QAction* action : menu->actions()) {
      if (action->menu() != nullptr) {
        collect(action->menu());
      } else if (!action->shortcut().isEmpty()) {
        QString text = action->text().remove(QLatin1Char('&'));
        text.remove(QRegularExpression(QStringLiteral("\\([A-Z]\\)")));
        pairs.emplace_back(text.remove(QChar(0x2026)), action->shortcut().toString(QKeySequence::NativeText));
      }
    }
  };
  for (const QAction* top : window->menuBar()->actions()) {
    if (top->menu() != nullptr) collect(top->menu());
  }
  pairs.emplace_back(QObject::tr("Copy a table or the data of a chart"), QStringLiteral("Ctrl+C"));
  pairs.emplace_back(QObject::tr("Zoom a chart, show all of it"), QStringLiteral("+  −  0"));
  pairs.emplace_back(QObject::tr("Read a chart out, move it"), QStringLiteral("← →  Shift+← →"));
  QDialog* dialog = make_dialog(window, QObject::tr("Keyboard shortcuts"));
  add_pairs(dialog, pairs);
  add_close(dialog);
  dialog->show();
}

}  // namespace weir::desktop
