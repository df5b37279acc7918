#include "app/desktop/models/session.h"

#include <QFile>
#include <QFileInfo>
#include <QPointer>
#include <QTimer>
#include <QUndoCommand>
#include <atomic>
#include <deque>
#include <list>
#include <map>
#include <set>

#include "app/desktop/models/autosave.h"
#include "app/desktop/models/project_inputs.h"
#include "data/errors.h"
#include "reports/decide.h"
#include "reports/language.h"

namespace weir::desktop {
namespace {

constexpr int kAutosaveAfter_ms = 300;
constexpr std::size_t kResultsKept = 16;
constexpr std::size_t kRevisionsKept = 64;  // as many edits may pass while a plan is made

using Inputs = std::shared_ptr<const ProjectInputs>;
using Result = std::shared_ptr<const reports::Decision>;

/// Identity of a file's content, to see whether another program changed it.
struct FileStamp {
  QDateTime changed;
  qint64 size = -1;
  static FileStamp of(const QString& file) {
    const QFileInfo info(file);
    return info.exists() ? FileStamp{info.lastModified(), info.size()} : FileStamp{};
  }
  bool operator==(const FileStamp&) const = default;
};

class Edit : public QUndoCommand {
 public:
  Edit(const QString& text, const QString& merge_key, Inputs before, Inputs after,
       std::function<void(const Inputs&)> apply)
      : QUndoCommand(text),
        key_(merge_key),
        before_(std::move(before)),
        after_(std::move(after)),
        apply_(std::move(apply)) {}

  void undo() override { apply_(before_); }
  void redo() override { apply_(after_); }
  int id() const override { return key_.isEmpty() ? -1 : static_cast<int>(qHash(key_) & 0x7fffffff); }
  bool mergeWith(const QUndoCommand* next) override {
    const auto* edit = dynamic_cast<const Edit*>(next);
    if (edit == nullptr || edit->key_ != key_) return false;
    after_ = edit->after_;
    setObsolete(after_->same_as(*before_));
    return true;
  }

 private:
  QString key_;
  Inputs before_, after_;
  std::function<void(const Inputs&)> apply_;
};

}  // namespace

struct Session::State {
  explicit State(Session& owner) : session(owner) {
    autosave_timer.setSingleShot(true);
    autosave_timer.setInterval(kAutosaveAfter_ms);
    QObject::connect(&autosave_timer, &QTimer::timeout, &owner, [this] { write(); });
    QObject::connect(&stack, &QUndoStack::cleanChanged, &owner, [this](bool clean) {
      autosave_timer.start();
      emit session.modified_changed(!clean);
    });
  }

  void start(std::unique_ptr<WorkingCopy> working_copy, Inputs first, const QString& of_file);
  void apply(const Inputs& next);
  void push(const QString& text, const QString& merge_key, ProjectInputs next);
  void find_result();
  void write();
  void flush();
  void report(const std::string& message);
  void drop_undone_traces();

  Session& session;
  QUndoStack stack;
  QTimer autosave_timer;
  std::unique_ptr<WorkingCopy> copy;
  QString file;
  FileStamp stamp;
  Inputs inputs;
  quint64 revision = 0;
  std::deque<std::pair<quint64, Inputs>> revisions;

  Result result;
  bool current = false;
  std::list<std::pair<Inputs, Result>> results;  ///< the latest first

  // What the copy holds already; only the parts that are large or slow to write. Reset when a write failed.
  std::map<std::string, std::shared_ptr<const data::Trace>> stored_traces;
  std::set<std::string> own_traces;  ///< brought in by this session
  std::shared_ptr<const data::Calibration> stored_calibration;
  Result stored_plan;
  std::string stored_name;
  std::atomic<bool> failing = false;
  // Last: its thread ends before anything above goes away.
  std::unique_ptr<Autosave> writer;
};

void Session::State::start(std::unique_ptr<WorkingCopy> working_copy, Inputs first, const QString& of_file) {
  session.close();
  copy = std::move(working_copy);
  file = of_file;
  stamp = FileStamp::of(file);
  inputs = std::move(first);
  stored_name = inputs->scenario.name;
  stored_calibration = inputs->calibration;
  if (inputs->trace) stored_traces[inputs->trace->name] = inputs->trace;
  ++revision;
  revisions.emplace_back(revision, inputs);
  writer = std::make_unique<Autosave>([this](const std::string& message) { report(message); });
}

void Session::State::apply(const Inputs& next) {
  inputs = next;
  ++revision;
  revisions.emplace_back(revision, inputs);
  if (revisions.size() > kRevisionsKept) revisions.pop_front();
  find_result();
  autosave_timer.start();
  emit session.inputs_changed();
  emit session.result_changed();
}

void Session::State::push(const QString& text, const QString& merge_key, ProjectInputs next) {
  if (next.same_as(*inputs)) return;
  auto after = std::make_shared<const ProjectInputs>(std::move(next));
  stack.push(new Edit(text, merge_key, inputs, std::move(after), [this](const Inputs& to) { apply(to); }));
}

/// A plan of these very inputs may be remembered.
void Session::State::find_result() {
  current = false;
  for (auto entry = results.begin(); entry != results.end(); ++entry) {
    if (!entry->first->same_as(*inputs)) continue;
    results.splice(results.begin(), results, entry);
    result = results.front().second;
    current = true;
    return;
  }
}

/// Puts what changed into the working copy, in the writer's thread.
void Session::State::write() {
  autosave_timer.stop();
  if (!copy) return;
  if (failing) {
    stored_traces.clear();
    stored_calibration.reset();
    stored_plan.reset();
  }
  const std::string& name = inputs->scenario.name;
  const std::string former = stored_name == name ? "" : stored_name;
  std::shared_ptr<const data::Trace> trace;
  if (inputs->trace && stored_traces[inputs->trace->name] != inputs->trace) trace = inputs->trace;
  const auto calibration = inputs->calibration != stored_calibration ? inputs->calibration : nullptr;
  const Result plan = current ? result : nullptr;
  const bool plan_is_there = plan != nullptr && plan == stored_plan && former.empty();

  stored_name = name;
  if (trace) stored_traces[trace->name] = trace;
  if (trace) own_traces.insert(trace->name);
  if (calibration) stored_calibration = calibration;
  stored_plan = plan;

  writer->add([this, to = copy.get(), now = inputs, former, trace, calibration, plan, plan_is_there,
               modified = !stack.isClean()] {
    if (modified) to->set_modified(true);
    data::Project& project = to->project();
    if (trace) project.put_trace(*trace);
    std::vector<data::Document> documents = documents_of(*now);
    if (calibration) documents.push_back(reports::calibration_document(*calibration));
    if (plan && !plan_is_there) documents.push_back(reports::plan_document(*plan));
    project.put_documents(documents);
    if (!plan) project.remove_document("plan", now->scenario.name);  // it would be one of other inputs
    if (!former.empty()) remove_scenario(project, former);
    if (!modified) to->set_modified(false);
    failing = false;
  });
}

void Session::State::report(const std::string& message) {
  if (failing.exchange(true)) return;
  QMetaObject::invokeMethod(
      &session, [this, text = QString::fromStdString(message)] { emit session.autosave_failed(text); },
      Qt::QueuedConnection);
}

/// Writes what is due and waits for it. Throws SystemError.
void Session::State::flush() {
  write();
  const std::string failure = writer->flush();
  if (!failure.empty()) throw data::SystemError(failure);
}

/// A trace that was brought in and undone again does not travel with the file.
void Session::State::drop_undone_traces() {
  for (auto name = own_traces.begin(); name != own_traces.end();) {
    if (inputs->trace && inputs->trace->name == *name) {
      ++name;
      continue;
    }
    copy->project().remove_trace(*name);
    stored_traces.erase(*name);
    name = own_traces.erase(name);
  }
}

Session::Session(QObject* parent) : QObject(parent), state_(std::make_unique<State>(*this)) {}

Session::~Session() {
  disconnect();
  state_->stack.disconnect();
  state_->writer.reset();
}

bool Session::is_open() const { return state_->copy != nullptr; }
const data::Scenario& Session::scenario() const {
  static const data::Scenario kNone;
  return state_->inputs ? state_->inputs->scenario : kNone;
}
std::shared_ptr<const data::Trace> Session::trace() const { return state_->inputs ? state_->inputs->trace : nullptr; }
std::shared_ptr<const data::Calibration> Session::calibration() const {
  return state_->inputs ? state_->inputs->calibration : nullptr;
}
QUndoStack& Session::undo_stack() { return state_->stack; }
QString Session::file() const { return state_->file; }
bool Session::is_modified() const { return is_open() && !state_->stack.isClean(); }

QString Session::display_name() const {
  if (!state_->file.isEmpty()) return QFileInfo(state_->file).fileName();
  const data::Scenario& now = scenario();
  return QString::fromStdString(reports::in_language(reports::Language::en, now.title, now.name));
}

bool Session::changed_on_disk() const {
  return !state_->file.isEmpty() && FileStamp::of(state_->file) != state_->stamp && QFile::exists(state_->file);
}

void Session::new_from_template(const QString& scenario_name) {
  ProjectInputs inputs;
  inputs.scenario = data::find_scenario(scenario_name.toStdString());
  inputs.text = text_of(inputs.scenario);
  state_->start(WorkingCopy::create(), std::make_shared<const ProjectInputs>(std::move(inputs)), {});
  state_->write();
  emit project_changed();
}

void Session::open(const QString& file) {
  const QString whole = QFileInfo(file).absoluteFilePath();
  auto copy = WorkingCopy::create(whole);
  auto inputs = std::make_shared<const ProjectInputs>(read_inputs(copy->project(), file.toStdString()));
  state_->start(std::move(copy), std::move(inputs), whole);
  emit project_changed();
}

void Session::recover(const RecoverableCopy& from) {
  auto copy = WorkingCopy::adopt(from);
  auto inputs = std::make_shared<const ProjectInputs>(read_inputs(copy->project(), from.copy.toStdString()));
  state_->start(std::move(copy), std::move(inputs), from.original);
  state_->stack.resetClean();
  emit project_changed();
}

void Session::save() {
  if (state_->file.isEmpty()) throw data::SystemError("this project has no file yet: save it under a name");
  save_as(state_->file);
}

void Session::save_as(const QString& file) {
  if (!is_open()) return;
  const QString whole = QFileInfo(file).absoluteFilePath();
  state_->flush();
  state_->drop_undone_traces();
  state_->copy->save_to(whole);
  state_->stamp = FileStamp::of(whole);
  const bool renamed = whole != state_->file;
  state_->file = whole;
  state_->stack.setClean();
  if (renamed) emit file_changed();
  emit saved();
}

void Session::close() {
  if (!is_open()) return;
  State& s = *state_;
  s.autosave_timer.stop();
  s.writer.reset();
  s.copy.reset();
  {
    const QSignalBlocker quiet(s.stack);  // is_modified is about a project, and there is none any more
    s.stack.clear();
  }
  s.file.clear();
  s.inputs.reset();
  s.revisions.clear();
  s.results.clear();
  s.result.reset();
  s.current = false;
  s.stored_traces.clear();
  s.own_traces.clear();
  s.stored_calibration.reset();
  s.stored_plan.reset();
  s.failing = false;
  ++s.revision;
  emit project_changed();
}

void Session::edit(const QString& text, const QString& merge_key, const std::function<void(data::Scenario&)>& change) {
  if (!is_open()) return;
  ProjectInputs next = *state_->inputs;
  change(next.scenario);
  next.text = text_of(next.scenario);
  next.scenario = checked(next.scenario);
  next.text = text_of(next.scenario);  // names of the catalogue have become its ids
  state_->push(text, merge_key, std::move(next));
}

void Session::set_trace(std::shared_ptr<const data::Trace> trace) {
  if (!is_open()) return;
  ProjectInputs next = *state_->inputs;
  next.trace = std::move(trace);
  const QString text =
      next.trace ? tr("Import %1").arg(QString::fromStdString(next.trace->name)) : tr("Remove the trace");
  state_->push(text, {}, std::move(next));
}

void Session::set_calibration(std::shared_ptr<const data::Calibration> calibration) {
  if (!is_open()) return;
  ProjectInputs next = *state_->inputs;
  next.calibration = std::move(calibration);
  const QString text = next.calibration ? tr("Add this machine") : tr("Remove this machine");
  state_->push(text, {}, std::move(next));
}

std::shared_ptr<const reports::Decision> Session::result() const { return state_->result; }
bool Session::result_is_current() const { return state_->current; }
quint64 Session::revision() const { return state_->revision; }

void Session::set_result(std::shared_ptr<const reports::Decision> decision, quint64 revision) {
  State& s = *state_;
  for (const auto& [known, inputs] : s.revisions) {
    if (known != revision) continue;
    s.results.emplace_front(inputs, std::move(decision));
    if (s.results.size() > kResultsKept) s.results.pop_back();
    if (!inputs->same_as(*s.inputs)) return;  // an edit came in between: kept for the way back
    s.find_result();
    s.autosave_timer.start();
    emit result_changed();
    return;
  }
}

}  // namespace weir::desktop
