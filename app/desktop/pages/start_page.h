#pragma once

#include "app/desktop/models/template_model.h"
#include "app/desktop/pages/page.h"

namespace weir::desktop {

class DataTable;
class MachinePanel;
class Notice;

/// What this is, and how to see a result with one click.
class StartPage : public Page {
  Q_OBJECT

 public:
  explicit StartPage(Workbench& bench, QWidget* parent = nullptr);
  QWidget* side_panel() override;

 private:
  void add_buttons();
  void add_templates();
  void add_recent();
  void add_drop_zone();
  void show_recoverable();

  MachinePanel* machine_;
  QVBoxLayout* recoverable_ = nullptr;
  TemplateModel* templates_ = nullptr;
};

}  // namespace weir::desktop
