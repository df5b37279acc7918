#pragma once

#include <QString>

#include "app/desktop/models/session.h"

namespace weir::desktop {

/// The command that gives the session's result in a terminal, quoted for a shell: "weir plan llm-chat --project
/// chat.weir". The project must have been saved; before that the built-in scenario's name is used alone when nothing
/// was changed, else the result is empty.
QString plan_command(const Session& session);

}  // namespace weir::desktop
