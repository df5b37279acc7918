#include <bit>
#include <cmath>
#include <limits>

#include "kernels/cpu/scalar_kernels.h"

namespace weir::kernels::cpu::scalar {
namespace {

constexpr std::uint32_t kMagnitudeMask = 0x7FFFFFFFU;
constexpr std::uint32_t kInfinityBits = 0x7F800000U;
/// Below this 127 / absmax could overflow; such a row is taken as zero (its error stays below 1e-30).
constexpr float kLeastAbsmax = 1e-30F;

std::int32_t pair_of(std::int8_t low, std::int8_t high) {
  const std::uint32_t bits = static_cast<std::uint16_t>(static_cast<std::int16_t>(low)) |
                             (static_cast<std::uint32_t>(static_cast<std::uint16_t>(high)) << 16);
  return static_cast<std::int32_t>(bits);
}

std::int32_t low_of(std::int32_t pair) { return static_cast<std::int16_t>(pair & 0xFFFF); }
std::int32_t high_of(std::int32_t pair) { return static_cast<std::int16_t>((pair >> 16) & 0xFFFF); }

}  // namespace

float quantize_row(const float* x, std::int64_t k, std::int64_t padded, std::int8_t* q) {
  // Magnitudes of floats are ordered like their bits, and infinities and NaN come last.
  std::uint32_t largest = 0;
  for (std::int64_t i = 0; i < k; ++i) {
    const std::uint32_t bits = std::bit_cast<std::uint32_t>(x[i]) & kMagnitudeMask;
    if (bits > largest) largest = bits;
  }
  const float absmax = std::bit_cast<float>(largest);
  const bool usable = largest < kInfinityBits && absmax >= kLeastAbsmax;
  const float inverse = usable ? 127.0F / absmax : 0.0F;
  for (std::int64_t i = 0; i < padded; ++i) {
    q[i] = usable && i < k ? static_cast<std::int8_t>(std::nearbyint(x[i] * inverse)) : std::int8_t{0};
  }
  if (largest >= kInfinityBits) return std::numeric_limits<float>::quiet_NaN();
  return usable ? absmax / 127.0F : 0.0F;
}

void pack_tile(const std::int8_t* q, std::int64_t stride, int rows, std::int64_t depth_groups, std::int32_t* out) {
  for (int r = 0; r < rows; ++r) {
    for (std::int64_t g = 0; g < depth_groups; ++g) {
      const std::int8_t* from = q + r * stride + g * kDepthGroup;
      std::int32_t* to = out + (g * rows + r) * 2;
      to[0] = pair_of(from[0], from[2]);
      to[1] = pair_of(from[1], from[3]);
    }
  }
}

void int8_tile(const Int8Tile& tile) {
  for (int r = 0; r < tile.rows; ++r) {
    std::int32_t sums[kPanelColumns] = {};
    for (std::int64_t g = 0; g < tile.depth_groups; ++g) {
      const std::int32_t* a = tile.a + (g * tile.rows + r) * 2;
      const std::int8_t* w = tile.panel + g * kPanelColumns * kDepthGroup;
      for (int j = 0; j < kPanelColumns; ++j, w += kDepthGroup) {
        sums[j] += low_of(a[0]) * w[0] + low_of(a[1]) * w[1] + high_of(a[0]) * w[2] + high_of(a[1]) * w[3];
      }
    }
    for (int j = 0; j < tile.columns; ++j) {
      tile.c[r * tile.c_stride + j] = static_cast<float>(sums[j]) * (tile.a_scale[r] * tile.w_scale[j]);
    }
  }
}

void int8_streams(const Int8Streams& call) {
  for (int s = 0; s < kStreams; ++s) {
    for (int r = 0; r < call.rows; ++r) {
      const std::int8_t* a = call.a + r * call.a_stride;
      for (int j = 0; j < call.columns[s]; ++j) {
        std::int32_t sum = 0;
        for (std::int64_t i = 0; i < call.depth_groups * kDepthGroup; ++i) {
          const std::int64_t at = (i / kDepthGroup * kPanelColumns + j) * kDepthGroup + i % kDepthGroup;
          sum += a[i] * call.panel[s][at];
        }
        call.c[s][r * call.c_stride + j] = static_cast<float>(sum) * (call.a_scale[r] * call.w_scale[s][j]);
      }
    }
  }
}

}  // namespace weir::kernels::cpu::scalar
