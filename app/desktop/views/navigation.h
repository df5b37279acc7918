#pragma once

#include <QListView>

class QStandardItemModel;

namespace weir::desktop {

/// The steps of the decision at the left: name and one line about its state. Headings cannot be chosen.
class Navigation : public QListView {
  Q_OBJECT

 public:
  explicit Navigation(QWidget* parent = nullptr);
  void add_heading(const QString& text);
  void add_page(int page, const QString& name);
  void set_summary(int page, const QString& summary);
  void choose(int page);
  int chosen() const;
  QSize sizeHint() const override;

 signals:
  void page_chosen(int page);

 private:
  QStandardItemModel* steps_;
};

}  // namespace weir::desktop
