#pragma once

#include <QObject>
#include <memory>

#include "app/desktop/models/session.h"

namespace weir::desktop {

/// Keeps the session's result up to date: some milliseconds after the last edit it plans in a worker thread, reports
/// progress, gives up the moment an edit makes the work useless. The one place of the desktop that calls the engine.
class Planner : public QObject {
  Q_OBJECT

 public:
  explicit Planner(Session& session, QObject* parent = nullptr);
  ~Planner() override;  ///< cancels and waits

  bool is_running() const;
  bool automatic() const;
  void set_automatic(bool automatic);  ///< off: only run() plans
  void run();                          ///< now
  void cancel();                       ///< the old result stays, marked as not current

 signals:
  void started();
  void progress(double fraction, const QString& what, double seconds_left);  ///< seconds_left < 0: not known yet
  void finished();                                                           ///< the session has the new result
  void cancelled();
  void failed(const QString& message);  ///< one line: what, where, what is allowed (English; views translate it)

 private:
  struct State;
  std::unique_ptr<State> state_;
};

}  // namespace weir::desktop
