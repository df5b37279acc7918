#pragma once

#include <QObject>
#include <QUndoStack>
#include <functional>
#include <memory>
#include <optional>

#include "app/desktop/models/working_copy.h"
#include "data/calibration.h"
#include "data/scenario.h"
#include "data/trace.h"
#include "reports/report.h"

namespace weir::desktop {

/// What the window edits: one project with one scenario, its imported trace and its calibration. Every change of the
/// scenario is an undo step. Lives on the GUI thread and never calls the engine: Planner does, in a worker.
class Session : public QObject {
  Q_OBJECT

 public:
  explicit Session(QObject* parent = nullptr);
  ~Session() override;

  bool is_open() const;
  const data::Scenario& scenario() const;
  std::shared_ptr<const data::Trace> trace() const;              ///< empty: the scenario's own demand
  std::shared_ptr<const data::Calibration> calibration() const;  ///< empty: this machine is not a candidate
  QUndoStack& undo_stack();

  QString file() const;          ///< empty: never saved
  QString display_name() const;  ///< file name, else the scenario's title
  bool is_modified() const;
  /// Another program wrote to file() since it was opened or saved here: saving would undo that.
  bool changed_on_disk() const;

  /// Starts from a built-in scenario. The open project must have been saved or given up before.
  void new_from_template(const QString& scenario_name);
  /// Throws data::InputError or data::SystemError; then the session is as before.
  void open(const QString& file);
  void recover(const RecoverableCopy& copy);
  void save();  ///< to file(); throws as save_as does
  void save_as(const QString& file);
  void close();

  /// One undo step: `text` names it in the menu; steps with the same non-empty `merge_key` in a row become one.
  /// A change that the scenario's own loader would refuse throws data::InputError (JSON pointer, value, what is
  /// allowed) and nothing changes.
  void edit(const QString& text, const QString& merge_key, const std::function<void(data::Scenario&)>& change);
  void set_trace(std::shared_ptr<const data::Trace> trace);  ///< an undo step; empty = back to the scenario's demand
  void set_calibration(std::shared_ptr<const data::Calibration> calibration);  ///< an undo step

  /// The last finished plan; empty before the first one of an opened project. Its JSON is stored in the project, as
  /// `weir plan --project` stores it. `result_is_current` is false from an edit until the plan of the new scenario has
  /// arrived, or until undo comes back to inputs whose plan is remembered.
  std::shared_ptr<const reports::Decision> result() const;
  bool result_is_current() const;
  void set_result(std::shared_ptr<const reports::Decision> decision, quint64 revision);
  quint64 revision() const;  ///< grows with every change that a plan depends on

 signals:
  void project_changed();  ///< another project, or none
  void inputs_changed();   ///< scenario, trace or calibration; a new plan is due
  void result_changed();
  void modified_changed(bool modified);
  void file_changed();
  void saved();
  /// The working copy could not be written (disk full): edits go on, but a crash would lose them. Once per failure.
  void autosave_failed(const QString& message);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir::desktop
