#include "app/desktop/models/recent_files.h"

#include <QDir>
#include <QFile>
#include <QFileInfo>
#include <QJsonArray>
#include <QJsonDocument>
#include <QJsonObject>
#include <QSaveFile>
#include <algorithm>

#include "app/desktop/models/roles.h"
#include "app/desktop/models/session.h"
#include "app/desktop/models/text.h"
#include "app/desktop/models/working_copy.h"
#include "reports/decision_view.h"

namespace weir::desktop {
namespace {

const QString kFile = QStringLiteral("file");
const QString kLastResult = QStringLiteral("last_result");
const QString kChanged = QStringLiteral("changed");

std::map<std::string, std::string> as_text(const RecentFiles::Answer& answer) {
  std::map<std::string, std::string> texts;
  for (const auto& [code, text] : answer) texts[code] = text.toStdString();
  return texts;
}

}  // namespace

RecentFiles::RecentFiles(const QString& store, QObject* parent)
    : QAbstractTableModel(parent),
      store_(store.isEmpty() ? WorkingCopy::state_folder() + QStringLiteral("/recent.json") : store) {
  load();
}

void RecentFiles::set_language(reports::Language language) {
  beginResetModel();
  language_ = language;
  endResetModel();
}

void RecentFiles::add(const QString& file, const Answer& last_result) {
  const QString whole = QFileInfo(file).absoluteFilePath();
  Entry entry{whole, last_result, QDateTime::currentDateTimeUtc()};
  const auto known = std::ranges::find(entries_, whole, &Entry::file);
  if (known != entries_.end() && last_result.empty()) entry.last_result = known->last_result;
  beginResetModel();
  if (known != entries_.end()) entries_.erase(known);
  entries_.insert(entries_.begin(), entry);
  if (entries_.size() > kMost) entries_.resize(kMost);
  endResetModel();
  this->store();
}

void RecentFiles::remove(const QString& file) {
  beginResetModel();
  std::erase_if(entries_, [&](const Entry& entry) { return entry.file == file; });
  endResetModel();
  store();
}

void RecentFiles::clear() {
  beginResetModel();
  entries_.clear();
  endResetModel();
  store();
}

QStringList RecentFiles::files() const {
  QStringList files;
  for (const Entry& entry : entries_) files.append(entry.file);
  return files;
}

void RecentFiles::follow(Session& session) {
  const auto note = [this, &session] {
    if (session.file().isEmpty()) return;
    Answer answer;
    if (session.result_is_current() && session.result()) {
      for (const auto language : {reports::Language::en, reports::Language::zh_CN}) {
        answer[std::string(reports::code_of(language))] =
            QString::fromStdString(reports::headline(session.result()->plan, reports::Spelling::typographic, language));
      }
    }
    add(session.file(), answer);
  };
  connect(&session, &Session::project_changed, this, note);
  connect(&session, &Session::saved, this, note);
  connect(&session, &Session::result_changed, this, [&session, note] {
    if (!session.is_modified() && session.result_is_current()) note();  // the answer is that of the file
  });
}

int RecentFiles::rowCount(const QModelIndex& parent) const {
  return parent.isValid() ? 0 : static_cast<int>(entries_.size());
}
int RecentFiles::columnCount(const QModelIndex& parent) const { return parent.isValid() ? 0 : ColumnCount; }

QVariant RecentFiles::data(const QModelIndex& index, int role) const {
  if (!index.isValid() || index.row() >= rowCount()) return {};
  const Entry& entry = entries_[static_cast<std::size_t>(index.row())];
  if (role == NameRole) return entry.file;
  if (role == Qt::ToolTipRole) return QDir::toNativeSeparators(entry.file);
  if (role == ProblemRole) return !QFile::exists(entry.file);
  if (role == SortRole && index.column() == Changed) return entry.changed;
  if (role != Qt::DisplayRole && role != SortRole) {
    if (role == Qt::TextAlignmentRole && index.column() == Changed) return int(Qt::AlignRight | Qt::AlignVCenter);
    return {};
  }
  switch (index.column()) {
    case File:
      return QFileInfo(entry.file).fileName();
    case LastResult:
      if (!QFile::exists(entry.file)) return words(language_, std::string("the file is not there any more"));
      if (entry.last_result.empty()) return words(language_, std::string("no result yet"));
      return QString::fromStdString(reports::in_language(language_, as_text(entry.last_result), ""));
    default:
      return when_text(entry.changed, QDateTime::currentDateTimeUtc(), language_);
  }
}

QVariant RecentFiles::headerData(int section, Qt::Orientation orientation, int role) const {
  if (orientation != Qt::Horizontal || role != Qt::DisplayRole) return {};
  constexpr const char* kHeads[] = {"File", "Last result", "Changed"};
  return section < ColumnCount ? words(language_, std::string(kHeads[section])) : QVariant();
}

void RecentFiles::load() {
  QFile file(store_);
  if (!file.open(QIODevice::ReadOnly)) return;
  const QJsonArray list = QJsonDocument::fromJson(file.readAll()).array();
  for (const auto& value : list) {
    const QJsonObject json = value.toObject();
    Entry entry{json.value(kFile).toString(), {}, QDateTime::fromString(json.value(kChanged).toString(), Qt::ISODate)};
    const QJsonObject answer = json.value(kLastResult).toObject();
    for (auto text = answer.begin(); text != answer.end(); ++text) {
      entry.last_result[text.key().toStdString()] = text.value().toString();
    }
    if (!entry.file.isEmpty() && entries_.size() < kMost) entries_.push_back(entry);
  }
}

/// A list that cannot be kept is no reason to disturb anybody.
void RecentFiles::store() const {
  QDir().mkpath(QFileInfo(store_).absolutePath());
  QJsonArray list;
  for (const Entry& entry : entries_) {
    QJsonObject answer;
    for (const auto& [code, text] : entry.last_result) answer.insert(QString::fromStdString(code), text);
    list.append(QJsonObject{
        {kFile, entry.file}, {kLastResult, answer}, {kChanged, entry.changed.toUTC().toString(Qt::ISODate)}});
  }
  QSaveFile file(store_);
  if (file.open(QIODevice::WriteOnly) && file.write(QJsonDocument(list).toJson()) >= 0) file.commit();
}

}  // namespace weir::desktop
