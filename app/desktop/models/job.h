#pragma once

#include <QObject>
#include <functional>
#include <memory>

#include "data/progress.h"

namespace weir::desktop {

/// Long work beside the window: it runs in a thread of its own, its signals arrive on the GUI thread. Exactly one of
/// finished, failed and cancelled ends it. A job can be started again after its end. Destroying it cancels and waits.
class Job : public QObject {
  Q_OBJECT

 public:
  explicit Job(QObject* parent = nullptr);
  ~Job() override;

  bool is_running() const;
  void cancel();  ///< returns at once; cancelled() follows

 signals:
  void started();
  /// At most 20 times a second. fraction < 0 or seconds_left < 0: not known. `what` is English; views translate it.
  void progress(double fraction, const QString& what, double seconds_left);
  void finished();
  void failed(const QString& message);  ///< one line: what, where, what is allowed (English; views translate it)
  void cancelled();

 protected:
  /// What is done with the result, on the GUI thread, before finished().
  using Take = std::function<void()>;
  /// Runs `work` in a worker. It must not touch this object: whatever it needs is captured by value. It may throw.
  void start(std::function<Take(const data::Progress&)> work);

 private:
  struct State;
  std::unique_ptr<State> state_;
};

/// Stops the program when called on the GUI thread: engine calls, imports and probes stand behind it.
void require_worker_thread();

}  // namespace weir::desktop
