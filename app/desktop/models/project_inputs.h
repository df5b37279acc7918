#pragma once

#include <memory>
#include <optional>
#include <string>

#include "data/calibration.h"
#include "data/scenario.h"
#include "data/store/project.h"
#include "data/trace.h"

namespace weir::desktop {

/// What a plan depends on: the value that edits and undo steps exchange. `text` is the scenario as JSON.
struct ProjectInputs {
  data::Scenario scenario;
  std::string text;
  std::shared_ptr<const data::Trace> trace;
  std::shared_ptr<const data::Calibration> calibration;

  bool same_as(const ProjectInputs& other) const {
    return text == other.text && trace == other.trace && calibration == other.calibration &&
           scenario.folder == other.scenario.folder;
  }
};

/// The scenario as its own loader reads it. Throws InputError for one that the loader refuses.
data::Scenario checked(const data::Scenario& scenario);
std::string text_of(const data::Scenario& scenario);

/// The scenario that a project is opened with, its trace and its calibration. Throws InputError.
ProjectInputs read_inputs(const data::Project& project, const std::string& file);
/// The documents that read_inputs finds again, without the trace and the calibration themselves.
std::vector<data::Document> documents_of(const ProjectInputs& inputs);
/// Removes what is kept under the name of a scenario.
void remove_scenario(data::Project& project, const std::string& name);

}  // namespace weir::desktop
