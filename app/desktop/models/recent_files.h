#pragma once

#include <QAbstractTableModel>
#include <QDateTime>
#include <QStringList>
#include <map>
#include <string>
#include <vector>

#include "reports/language.h"

namespace weir::desktop {

class Session;

/// Projects that were opened or saved lately, newest first, with their last answer; kept in the state folder. SortRole
/// of Changed is a QDateTime, NameRole the file with its folder.
class RecentFiles : public QAbstractTableModel {
  Q_OBJECT

 public:
  enum Column { File, LastResult, Changed, ColumnCount };
  static constexpr int kMost = 12;

  /// `store` = the file that keeps them; empty = the one of the state folder.
  explicit RecentFiles(const QString& store = {}, QObject* parent = nullptr);

  void set_language(reports::Language language);
  /// The answer in each language, by its code; empty = keep the known one.
  using Answer = std::map<std::string, QString, std::less<>>;
  void add(const QString& file, const Answer& last_result = {});
  void remove(const QString& file);
  void clear();
  QStringList files() const;
  /// Notes what the session opens, saves and finds out.
  void follow(Session& session);

  int rowCount(const QModelIndex& parent = {}) const override;
  int columnCount(const QModelIndex& parent = {}) const override;
  QVariant data(const QModelIndex& index, int role = Qt::DisplayRole) const override;
  QVariant headerData(int section, Qt::Orientation orientation, int role = Qt::DisplayRole) const override;

 private:
  struct Entry {
    QString file;
    Answer last_result;
    QDateTime changed;
  };
  void load();
  void store() const;

  QString store_;
  std::vector<Entry> entries_;
  reports::Language language_ = reports::Language::en;
};

}  // namespace weir::desktop
