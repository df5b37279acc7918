#pragma once

#include <QCheckBox>
#include <QHBoxLayout>
#include <QWidget>
#include <functional>
#include <vector>

namespace weir::desktop {

/// A few check boxes in a row that stand for a set of values.
class CheckRow : public QWidget {
  Q_OBJECT

 public:
  struct Choice {
    QString text, value;
  };

  CheckRow(const QString& name, const std::vector<Choice>& choices, QWidget* parent = nullptr);
  void set_checked(const QStringList& values);
  QStringList checked() const;

 signals:
  void changed(const QStringList& values);

 private:
  std::vector<std::pair<QCheckBox*, QString>> boxes_;
};

}  // namespace weir::desktop
