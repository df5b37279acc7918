#include "sim/workload/trace_source.h"

#include <stdlib.h>  // mkdtemp is POSIX

#include <cerrno>
#include <filesystem>
#include <fstream>
#include <string>
#include <string_view>
#include <system_error>

#include "data/embedded.h"
#include "data/errors.h"
#include "data/import/trace_import.h"

namespace weir::sim {
namespace {

namespace fs = std::filesystem;

const data::EmbeddedFile* find_embedded(const std::string& name) {
  for (const data::EmbeddedFile& file : data::embedded_files()) {
    if (file.path == name || file.path == "traces/" + name) return &file;
  }
  return nullptr;
}

/// A folder that only this process can see, gone with the object.
class TemporaryFolder {
 public:
  TemporaryFolder() {
    std::string pattern = (fs::temp_directory_path() / "weir-trace-XXXXXX").string();
    if (mkdtemp(pattern.data()) == nullptr) {
      throw data::SystemError("cannot make a folder in " + fs::temp_directory_path().string() + ": " +
                              std::generic_category().message(errno));
    }
    path_ = pattern;
  }
  TemporaryFolder(const TemporaryFolder&) = delete;
  TemporaryFolder& operator=(const TemporaryFolder&) = delete;
  ~TemporaryFolder() {
    std::error_code ignored;
    fs::remove_all(path_, ignored);
  }
  const fs::path& path() const { return path_; }

 private:
  fs::path path_;
};

/// The importer streams from files, so the embedded text is put into one; it keeps its name, which results show.
data::Trace import_embedded(const data::EmbeddedFile& embedded, const data::ImportOptions& options) {
  const TemporaryFolder folder;
  const fs::path file = folder.path() / fs::path(embedded.path).filename();
  std::ofstream out(file, std::ios::binary);
  out.write(embedded.text.data(), static_cast<std::streamsize>(embedded.text.size()));
  out.close();
  if (!out) throw data::SystemError("cannot write " + file.string());
  return data::import_trace(file, options);
}

}  // namespace

data::Trace find_trace(const data::Scenario& scenario, const data::TraceReference& reference,
                       const data::Progress& progress) {
  data::ImportOptions options;
  options.as = "trace";
  options.progress = progress;
  if (!scenario.folder.empty()) {
    const fs::path beside = scenario.folder / reference.file;
    if (fs::exists(beside)) return data::import_trace(beside, options);
  }
  if (const data::EmbeddedFile* embedded = find_embedded(reference.file)) return import_embedded(*embedded, options);
  const std::string where = scenario.folder.empty() ? "" : " in " + scenario.folder.string();
  throw data::InputError(scenario.name, "trace", reference.file, "expected a file" + where + " or an embedded trace");
}

}  // namespace weir::sim
