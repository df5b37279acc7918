#include "app/desktop/models/planner.h"

#include <QTimer>
#include <algorithm>
#include <thread>

#include "app/desktop/models/job.h"
#include "reports/decide.h"
#include "sim/plan/capacity_cache.h"

namespace weir::desktop {
namespace {

constexpr int kAfterLastEdit_ms = 150;

/// The window stays fluent when one core is left to it.
int worker_threads() { return static_cast<int>(std::max(1U, std::thread::hardware_concurrency() - 1)); }

/// One plan in a worker.
class PlanJob : public Job {
 public:
  explicit PlanJob(Session& session) : session_(session) {}

  void start(const std::shared_ptr<sim::CapacityCache>& cache) {
    revision_ = session_.revision();
    Job::start([this, cache, scenario = session_.scenario(), trace = session_.trace(),
                calibration = session_.calibration()](const data::Progress& progress) -> Take {
      require_worker_thread();
      auto decision = std::make_shared<const reports::Decision>(reports::decide({.scenario = scenario,
                                                                                 .trace = trace.get(),
                                                                                 .calibration = calibration.get(),
                                                                                 .seed = scenario.seed,
                                                                                 .threads = worker_threads(),
                                                                                 .progress = progress,
                                                                                 .cache = cache.get()},
                                                                                WEIR_VERSION));
      return [this, decision] { session_.set_result(decision, revision_); };
    });
  }

 private:
  Session& session_;
  quint64 revision_ = 0;  // only read and written on the GUI thread
};

}  // namespace

struct Planner::State {
  State(Planner& owner, Session& of) : planner(owner), session(of), job(of) {
    delay.setSingleShot(true);
    delay.setInterval(kAfterLastEdit_ms);
    QObject::connect(&delay, &QTimer::timeout, &owner, [this] { start(); });
    QObject::connect(&session, &Session::inputs_changed, &owner, [this] { changed(); });
    QObject::connect(&session, &Session::project_changed, &owner, [this] { changed(); });
    QObject::connect(&job, &Job::progress, &owner, &Planner::progress);
    QObject::connect(&job, &Job::finished, &owner, [this] { ended([this] { emit planner.finished(); }); });
    QObject::connect(&job, &Job::failed, &owner,
                     [this](const QString& message) { ended([this, message] { emit planner.failed(message); }); });
    QObject::connect(&job, &Job::cancelled, &owner, [this] { ended([this] { emit planner.cancelled(); }); });
  }

  /// What runs is about inputs that are no more.
  void changed() {
    job.cancel();
    again = false;
    delay.stop();
    if (session.is_open() && automatic && !session.result_is_current()) {
      superseded = job.is_running();
      delay.start();
    }
  }

  void start() {
    delay.stop();
    if (!session.is_open()) return;
    if (job.is_running()) {  // it has been told to end, or will be now
      job.cancel();
      superseded = again = true;
      return;
    }
    superseded = again = false;
    job.start(cache);
    emit planner.started();
  }

  void ended(const std::function<void()>& tell) {
    if (again) {
      start();
    } else if (superseded && delay.isActive()) {
      superseded = false;  // the next one follows at once: for the window the work goes on
    } else {
      tell();
    }
  }

  Planner& planner;
  Session& session;
  std::shared_ptr<sim::CapacityCache> cache = std::make_shared<sim::CapacityCache>();
  QTimer delay;
  PlanJob job;
  bool automatic = true;
  bool superseded = false;  ///< a newer edit waits for the running job to end
  bool again = false;       ///< and shall be planned as soon as it has
};

Planner::Planner(Session& session, QObject* parent) : QObject(parent), state_(std::make_unique<State>(*this, session)) {
  if (session.is_open()) state_->changed();
}

Planner::~Planner() = default;

bool Planner::is_running() const { return state_->job.is_running() || state_->again; }
bool Planner::automatic() const { return state_->automatic; }

void Planner::set_automatic(bool automatic) {
  state_->automatic = automatic;
  if (!automatic) state_->delay.stop();
  if (automatic && !is_running()) state_->changed();
}

void Planner::run() { state_->start(); }

void Planner::cancel() {
  const bool waiting = state_->delay.isActive();
  state_->delay.stop();
  state_->again = state_->superseded = false;
  if (state_->job.is_running()) {
    state_->job.cancel();
  } else if (waiting) {
    emit cancelled();
  }
}

}  // namespace weir::desktop
