#include "app/desktop/models/job.h"

#include <QCoreApplication>
#include <QElapsedTimer>
#include <QPointer>
#include <QThread>
#include <atomic>
#include <thread>

#include "data/errors.h"

namespace weir::desktop {
namespace {

constexpr qint64 kBetweenReports_ms = 50;
constexpr double kKnowsSpeedAfter_s = 0.5;
constexpr double kKnowsSpeedFrom = 0.02;  // of the work

/// Linear: good enough for work that is counted in like pieces.
double seconds_left(double fraction, double elapsed_s) {
  if (elapsed_s < kKnowsSpeedAfter_s || fraction < kKnowsSpeedFrom) return -1;
  return elapsed_s * (1 - fraction) / fraction;
}

}  // namespace

struct Job::State {
  std::thread thread;
  std::shared_ptr<std::atomic<bool>> stop;
  bool running = false;

  void join() {
    if (thread.joinable()) thread.join();
  }
};

Job::Job(QObject* parent) : QObject(parent), state_(std::make_unique<State>()) {}

Job::~Job() {
  if (state_->stop) *state_->stop = true;
  state_->join();  // what it still posts to this object is dropped with it
}

bool Job::is_running() const { return state_->running; }

void Job::cancel() {
  if (state_->running) *state_->stop = true;
}

void Job::start(std::function<Take(const data::Progress&)> work) {
  if (state_->running) throw std::logic_error("a job was started while it runs");
  state_->join();
  state_->running = true;
  state_->stop = std::make_shared<std::atomic<bool>>(false);
  emit started();

  const auto stop = state_->stop;
  const auto end = [this](std::function<void()> last) {
    QMetaObject::invokeMethod(
        this,
        [this, last = std::move(last)] {
          state_->running = false;
          last();
        },
        Qt::QueuedConnection);
  };
  state_->thread = std::thread([this, stop, end, work = std::move(work)] {
    QElapsedTimer since_start, since_report;
    since_start.start();
    const data::Progress report = [&](double fraction, std::string_view what) {
      if (*stop) return false;
      if (since_report.isValid() && since_report.elapsed() < kBetweenReports_ms) return true;
      since_report.start();
      const double left_s = seconds_left(fraction, static_cast<double>(since_start.elapsed()) / 1e3);
      const QString text = QString::fromUtf8(what.data(), static_cast<qsizetype>(what.size()));
      QMetaObject::invokeMethod(
          this, [this, fraction, text, left_s] { emit progress(fraction, text, left_s); }, Qt::QueuedConnection);
      return true;
    };
    try {
      require_worker_thread();
      Take take = work(report);
      // A cancel that came too late for the work still counts: who pressed it does not want the result.
      if (*stop) throw data::Cancelled();
      end([this, stop, take = std::move(take)] {
        if (*stop) {
          emit cancelled();
          return;
        }
        try {
          if (take) take();
        } catch (const std::exception& error) {
          emit failed(QString::fromStdString(error.what()));
          return;
        }
        emit finished();
      });
    } catch (const data::Cancelled&) {
      end([this] { emit cancelled(); });
    } catch (const std::exception& error) {
      end([this, stop, message = QString::fromStdString(error.what())] {
        if (*stop) {
          emit cancelled();
        } else {
          emit failed(message);
        }
      });
    }
  });
}

void require_worker_thread() {
  if (QCoreApplication::instance() != nullptr && QThread::currentThread() == QCoreApplication::instance()->thread()) {
    qFatal("work that belongs into a worker was called on the GUI thread");
  }
}

}  // namespace weir::desktop
