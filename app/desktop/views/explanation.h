#pragma once

#include <QMetaType>
#include <QString>
#include <QStringList>
#include <optional>
#include <vector>

#include "data/evidence.h"

namespace weir::desktop {

/// One input of a number: how it is known, what it is, and where it comes from.
struct ExplainedInput {
  std::optional<data::Evidence> mark;
  QString name, value;
  QString note;  ///< source, date, range
};

/// Where a number comes from, in the order the inspector shows it.
struct Explanation {
  QString title;         ///< "TCO over 36 months, option 1"
  QString value, range;  ///< "$835k", "P10–P90 $743k–927k"
  std::optional<data::Evidence> mark;
  QStringList formula;  ///< each line with the numbers put in
  QString inputs_title;
  std::vector<ExplainedInput> inputs;
  QStringList notes;
  bool empty() const { return title.isEmpty(); }
};

}  // namespace weir::desktop

Q_DECLARE_METATYPE(weir::desktop::Explanation)
