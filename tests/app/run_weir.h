#pragma once

#include <fcntl.h>
#include <sys/wait.h>
#include <unistd.h>

#include <cstdlib>
#include <filesystem>
#include <fstream>
#include <iterator>
#include <string>
#include <vector>

/// Runs the real program in a scratch folder and keeps what it said.
namespace weir::cli::testing {

namespace fs = std::filesystem;

struct Outcome {
  int code = -1;  ///< exit code; -1 when it was killed
  std::string out, err;
};

inline std::string read_file(const fs::path& file) {
  std::ifstream stream(file, std::ios::binary);
  return {std::istreambuf_iterator<char>(stream), {}};
}

inline void write_file(const fs::path& file, const std::string& text) { std::ofstream(file, std::ios::binary) << text; }

/// A folder of its own for each test, removed at the end.
class Scratch {
 public:
  Scratch() {
    std::string name = (fs::temp_directory_path() / "weir-app-test-XXXXXX").string();
    if (mkdtemp(name.data()) == nullptr) throw std::runtime_error("no temporary folder");
    folder_ = name;
  }
  Scratch(const Scratch&) = delete;
  Scratch& operator=(const Scratch&) = delete;
  ~Scratch() {
    std::error_code ignored;
    fs::remove_all(folder_, ignored);
  }
  fs::path operator/(const std::string& name) const { return folder_ / name; }
  const fs::path& folder() const { return folder_; }

 private:
  fs::path folder_;
};

/// `locale` is what LC_ALL says to the program.
inline Outcome weir(const Scratch& scratch, std::vector<std::string> arguments, const std::string& locale = "C") {
  const fs::path out = scratch / ".stdout";
  const fs::path err = scratch / ".stderr";
  const pid_t child = fork();
  if (child == 0) {
    const int out_file = open(out.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    const int err_file = open(err.c_str(), O_WRONLY | O_CREAT | O_TRUNC, 0644);
    if (chdir(scratch.folder().c_str()) != 0) _exit(127);
    setenv("LC_ALL", locale.c_str(), 1);
    dup2(out_file, STDOUT_FILENO);
    dup2(err_file, STDERR_FILENO);
    std::string program = WEIR_BINARY_DIR "/bin/weir";
    std::vector<char*> argv = {program.data()};
    for (std::string& argument : arguments) argv.push_back(argument.data());
    argv.push_back(nullptr);
    execv(program.c_str(), argv.data());
    _exit(127);
  }
  int status = 0;
  waitpid(child, &status, 0);
  return {WIFEXITED(status) ? WEXITSTATUS(status) : -1, read_file(out), read_file(err)};
}

/// 120 requests in two minutes: enough to plan on, quick to replay.
inline std::string small_trace() {
  std::string text = "arrival_s,input_tokens,output_tokens\n";
  for (int i = 0; i < 120; ++i) {
    text += std::to_string(i) + "," + std::to_string(200 + (i * 37) % 800) + "," + std::to_string(20 + (i * 13) % 100) +
            "\n";
  }
  return text;
}

/// A scenario with one card and few variants.
inline std::string small_scenario(const std::string& more = "",
                                  const std::string& slo = R"({"ttft_s":{"p99":2.0},"attainment":0.9})") {
  return R"({"schema":"weir.scenario/1","name":"small","workloads":[{"name":"chat","kind":"generative",
    "model":{"id":"llama-3.1-8b"},"trace":{"file":"small.csv"},
    "classes":[{"name":"interactive","share":0.8,"slo":)" +
         slo + R"(},
               {"name":"background","share":0.2,"slo":{"ttft_s":{"p99":20.0},"attainment":0.9}}]}],
    "deployment":{"accelerator":"a100-sxm4-80gb","replicas":1},
    "candidates":{"accelerators":["a100-sxm4-80gb","l4"],"precisions":["fp16"],"tensor_parallel":[1],"tenures":["owned","cloud"]})" +
         more + "}";
}

}  // namespace weir::cli::testing
