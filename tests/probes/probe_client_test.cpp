#include "probes/client/probe_client.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>
#include <signal.h>
#include <stdlib.h>

#include <cerrno>
#include <fstream>
#include <nlohmann/json.hpp>
#include <string>
#include <vector>

#include "data/errors.h"
#include "temporary_folder.h"

namespace weir::probes {
namespace {

using testing::HasSubstr;

/// Runs the client against a shell script in place of weir-probe.
class ProbeClientTest : public testing::Test {
 protected:
  void TearDown() override { unsetenv("WEIR_PROBE"); }
  void child(const std::string& script) {
    const auto file = folder_.write("weir-probe", "#!/bin/sh\n" + script);
    std::filesystem::permissions(file, std::filesystem::perms::owner_all);
    setenv("WEIR_PROBE", file.c_str(), 1);
  }
  template <class Error>
  std::string failure(const ProbeOptions& options = {}, const data::Progress& progress = {}) {
    try {
      run_probe(options, progress);
    } catch (const Error& error) {
      return error.what();
    }
    ADD_FAILURE() << "nothing was thrown";
    return "";
  }
  std::string calibration_line() const {
    data::Calibration calibration;
    calibration.device_id = "this-machine";
    calibration.device_name = "Test CPU";
    calibration.device_kind = "cpu";
    calibration.memory_bytes = 8e9;
    calibration.kernel_set = "weir-0.1";
    calibration.source = "weir-probe 0.1.0 on test";
    calibration.date = "2026-11-30";
    calibration.limits.push_back({"read_bandwidth", 2e10, "bytes/s", 0.01});
    const nlohmann::ordered_json line = {{"event", "result"}, {"document", data::to_json(calibration)}};
    return line.dump();
  }
  TemporaryFolder folder_;
};

TEST_F(ProbeClientTest, ReadsProgressAndResult) {
  folder_.write("result.jsonl", calibration_line() + "\n");
  child("echo \"$@\" >&2\necho '{\"event\":\"progress\",\"fraction\":0.25,\"what\":\"gemm int8\"}'\nsleep 0.4\ncat '" +
        (folder_.path() / "result.jsonl").string() + "'\n");
  std::vector<double> fractions;
  std::vector<std::string> words;
  const data::Calibration calibration = run_probe({}, [&](double fraction, std::string_view what) {
    fractions.push_back(fraction);
    words.emplace_back(what);
    return true;
  });
  EXPECT_EQ(calibration.device_name, "Test CPU");
  EXPECT_DOUBLE_EQ(calibration.limit("read_bandwidth").value(), 2e10);
  EXPECT_THAT(fractions, testing::Contains(0.25));
  EXPECT_THAT(words, testing::Contains("gemm int8"));
}

TEST_F(ProbeClientTest, PassesTheOptionsOn) {
  child("echo \"$@\" >&2\nexit 1\n");
  EXPECT_THAT(failure<data::SystemError>({"cpu", true}), HasSubstr("calibrate --device cpu --full --jsonl"));
  EXPECT_THAT(failure<data::SystemError>(), HasSubstr("calibrate --device cpu --quick --jsonl"));
}

TEST_F(ProbeClientTest, AnErrorEventIsTheMessage) {
  child("echo '{\"event\":\"error\",\"message\":\"not enough memory to calibrate\"}'\nexit 1\n");
  EXPECT_EQ(failure<data::SystemError>(), "weir-probe: not enough memory to calibrate");
}

TEST_F(ProbeClientTest, ARefusedDeviceIsBadInput) {
  child(
      "echo '{\"event\":\"error\",\"message\":\"--device: cuda:0 is not allowed: no CUDA kernels in this version\"}'\n"
      "exit 3\n");
  EXPECT_EQ(failure<data::InputError>({"cuda:0", false}),
            "--device: cuda:0 is not allowed: no CUDA kernels in this version");
}

TEST_F(ProbeClientTest, AKilledChildLeavesItsLastWords) {
  child(
      "echo '{\"event\":\"progress\",\"fraction\":0.5,\"what\":\"gemm bf16\"}'\necho 'GPU fell off the bus' >&2\n"
      "kill -9 $$\n");
  const std::string message = failure<data::SystemError>();
  EXPECT_THAT(message, HasSubstr("signal 9"));
  EXPECT_THAT(message, HasSubstr("gemm bf16"));
  EXPECT_THAT(message, HasSubstr("GPU fell off the bus"));
}

TEST_F(ProbeClientTest, GarbageIsNotAResult) {
  child("echo 'Segmentation what?'\necho '[1,2'\necho '{\"event\":\"result\"}'\nexit 0\n");
  const std::string message = failure<data::SystemError>();
  EXPECT_THAT(message, HasSubstr("ended without a result"));
  EXPECT_THAT(message, HasSubstr("{\"event\":\"result\"}"));
}

TEST_F(ProbeClientTest, ADocumentThatIsNoCalibrationIsAFailureOfTheProbe) {
  child("echo '{\"event\":\"result\",\"document\":{\"schema\":\"weir.calibration/1\"}}'\n");
  EXPECT_THAT(failure<data::SystemError>(), HasSubstr("cannot be read"));
}

TEST_F(ProbeClientTest, AResultIsNotBelievedWhenTheChildFailedAfterIt) {
  folder_.write("result.jsonl", calibration_line() + "\n");
  child("cat '" + (folder_.path() / "result.jsonl").string() + "'\nexit 1\n");
  EXPECT_THAT(failure<data::SystemError>(), HasSubstr("exit code 1"));
}

TEST_F(ProbeClientTest, CancelEndsTheChild) {
  const auto pid_file = folder_.path() / "pid";
  child("echo $$ > '" + pid_file.string() + ".new'\nmv '" + pid_file.string() + ".new' '" + pid_file.string() +
        "'\nexec sleep 600\n");
  pid_t pid = 0;
  const auto cancel_once_it_runs = [&](double, std::string_view) {
    std::ifstream in(pid_file);
    return !(in >> pid);
  };
  EXPECT_THROW(run_probe({}, cancel_once_it_runs), data::Cancelled);
  ASSERT_GT(pid, 0);
  EXPECT_EQ(kill(pid, 0), -1);  // no process of that number is left, not even a zombie
  EXPECT_EQ(errno, ESRCH);
}

TEST_F(ProbeClientTest, AChildThatIgnoresTheRequestIsKilled) {
  const auto pid_file = folder_.path() / "pid";
  child("trap '' TERM\necho $$ > '" + pid_file.string() + ".new'\nmv '" + pid_file.string() + ".new' '" +
        pid_file.string() + "'\nwhile :; do sleep 1; done\n");
  pid_t pid = 0;
  EXPECT_THROW(run_probe({},
                         [&](double, std::string_view) {
                           std::ifstream in(pid_file);
                           return !(in >> pid);
                         }),
               data::Cancelled);
  ASSERT_GT(pid, 0);
  EXPECT_EQ(kill(pid, 0), -1);
}

TEST_F(ProbeClientTest, AMissingProgramIsSaid) {
  setenv("WEIR_PROBE", "/nonexistent/weir-probe", 1);
  EXPECT_TRUE(find_probe_program().empty());
  EXPECT_THAT(failure<data::SystemError>(), HasSubstr("/nonexistent/weir-probe"));
}

TEST_F(ProbeClientTest, DoctorReturnsTheReport) {
  child("echo '{\"schema\":\"weir.doctor/1\",'\necho '\"findings\":[]}'\n");
  EXPECT_EQ(nlohmann::json::parse(run_doctor()).at("schema"), "weir.doctor/1");
  child("echo 'no report'\nexit 1\n");
  EXPECT_THROW(run_doctor(), data::SystemError);
}

}  // namespace
}  // namespace weir::probes
