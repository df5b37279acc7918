#include "probes/calibrate.h"

#include <array>
#include <charconv>
#include <cstdint>

#include "probes/calibrator.h"
#include "probes/grid.h"

namespace weir::probes {
namespace {

std::string shortest(double value) {
  std::array<char, 32> text{};
  const auto end = std::to_chars(text.data(), text.data() + text.size(), value);
  return std::string(text.data(), end.ptr);
}

}  // namespace

std::string sample_hash(const data::Sample& sample) {
  std::string text = sample.op + ";" + std::string(data::to_string(sample.precision));
  for (const auto& [key, value] : sample.shape) text += ";" + key + "=" + shortest(value);
  text += ";" + shortest(sample.median_s) + ";" + shortest(sample.mad_s) + ";" + std::to_string(sample.n);
  std::uint64_t hash = 0xCBF29CE484222325ULL;
  for (const char c : text) hash = (hash ^ static_cast<unsigned char>(c)) * 0x100000001B3ULL;
  std::array<char, 17> digits{};
  const auto end = std::to_chars(digits.data(), digits.data() + digits.size(), hash, 16);
  std::string result(digits.data(), end.ptr);
  result.insert(0, 16 - result.size(), '0');
  return result;
}

data::Calibration calibrate(kernels::Device& device, const CalibrateOptions& options, const data::Progress& progress) {
  GridPlan plan = options.full ? full_grid() : quick_grid();
  if (!options.full || options.budget_s > plan.budget_s) plan.budget_s = options.budget_s;
  return calibrate(device, plan, progress);
}

data::Calibration calibrate(kernels::Device& device, const GridPlan& plan, const data::Progress& progress) {
  return Calibrator(device, plan, progress).run();
}

}  // namespace weir::probes
