#pragma once

#include <QMetaType>
#include <QVariant>
#include <Qt>
#include <optional>

#include "data/evidence.h"
#include "reports/charts/figures.h"

namespace weir::desktop {

/// What a cell of our table models says beside its text (Qt::DisplayRole), its alignment and its tool tip.
enum Role {
  SortRole = Qt::UserRole + 1,  ///< the raw value: double, qint64 or QString; invalid = "does not apply"
  EvidenceRole,                 ///< int of data::Evidence; invalid = the cell is no number that has a source
  ProvenanceRole,               ///< QString of a few lines: value and range, formula or source, evidence
  SecondaryRole,                ///< QString shown quieter after the text: "H800 SXM5 80GB" + "owned"
  StripRole,                    ///< StripValue, drawn instead of a text
  MarkerRole,                   ///< MarkerValue of the option
  SentenceRole,                 ///< QString for the whole row: what fails, limit, nearest change that works
  ChosenRole,                   ///< bool: the recommended option
  ProblemRole,                  ///< bool: shown with the sign and colour of problems
  NameRole,                     ///< QString: id, key or file name behind the row
  UsedRole,                     ///< bool: the current result rests on this input
};

/// A range on the scale of its column, in amounts of the column.
struct StripValue {
  double p10 = 0, value = 0, p90 = 0;
  double scale_low = 0, scale_high = 0;
  reports::charts::Role role = reports::charts::Role::owned;
};

struct MarkerValue {
  reports::charts::Shape shape = reports::charts::Shape::circle;
  reports::charts::Role role = reports::charts::Role::owned;
  bool hollow = false;
};

inline std::optional<data::Evidence> evidence_of(const QVariant& value) {
  if (!value.isValid()) return std::nullopt;
  return static_cast<data::Evidence>(value.toInt());
}

}  // namespace weir::desktop

Q_DECLARE_METATYPE(weir::desktop::StripValue)
Q_DECLARE_METATYPE(weir::desktop::MarkerValue)
