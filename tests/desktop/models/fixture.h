#pragma once

#include <QDir>
#include <QSignalSpy>
#include <QTemporaryDir>
#include <QtTest>
#include <memory>

#include "app/desktop/models/session.h"
#include "data/errors.h"
#include "data/scenario.h"

namespace weir::desktop {

/// A state folder of its own for every test.
class Folder {
 public:
  Folder() { qputenv("XDG_STATE_HOME", QFile::encodeName(dir_.filePath(QStringLiteral("state")))); }
  QString file(const QString& name) const { return dir_.filePath(name); }

 private:
  QTemporaryDir dir_;
};

/// A trace of `requests` rows, one every 100 ms.
inline data::Trace tiny_trace(const char* name, int requests) {
  data::Trace trace;
  trace.name = name;
  trace.format = "plain-csv";
  for (int i = 0; i < requests; ++i) {
    data::Request request;
    request.arrival_ns = i * std::int64_t{100'000'000};
    request.input_tokens = 200 + 37 * (i % 11);
    request.output_tokens = 30 + i % 7;
    trace.requests.push_back(request);
  }
  trace.rows = {requests, requests, 0, 0};
  return trace;
}

/// The chat template with a demand and a choice of hardware that plan in a moment.
inline void make_small(Session& session, int requests = 200) {
  session.new_from_template(QStringLiteral("llm-chat"));
  session.edit(QStringLiteral("small"), {}, [](data::Scenario& s) {
    s.candidates.accelerators = {"a100-sxm4-80gb", "l4"};
    s.candidates.precisions = {data::Precision::fp16};
    s.candidates.tensor_parallel = {1};
  });
  session.set_trace(std::make_shared<const data::Trace>(tiny_trace("tiny.csv", requests)));
}

template <typename Error, typename Work>
QString message_of(Work work) {
  try {
    work();
  } catch (const Error& error) {
    return QString::fromStdString(error.what());
  }
  return QStringLiteral("no error of this kind");
}

}  // namespace weir::desktop
