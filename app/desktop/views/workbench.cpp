#include "app/desktop/views/workbench.h"

#include "app/desktop/views/ui_language.h"
#include "data/errors.h"

namespace weir::desktop {

Workbench::Workbench(const QString& settings_file, const QString& recent_file)
    : settings(settings_file), planner(session), recent(recent_file) {
  recent.follow(session);
}

QString try_edit(Session& session, const QString& text, const QString& merge_key,
                 const std::function<void(data::Scenario&)>& change) {
  try {
    session.edit(text, merge_key, change);
  } catch (const data::InputError& error) {
    return in_ui_language(error.allowed());
  }
  return {};
}

}  // namespace weir::desktop
