#include "kernels/device.h"

namespace weir::kernels {

std::size_t size_of(DataType type) {
  switch (type) {
    case DataType::fp32:
      return 4;
    case DataType::bf16:
    case DataType::fp16:
      return 2;
    case DataType::int8:
      return 1;
  }
  return 4;
}

const char* name_of(DataType type) {
  switch (type) {
    case DataType::fp32:
      return "fp32";
    case DataType::bf16:
      return "bf16";
    case DataType::fp16:
      return "fp16";
    case DataType::int8:
      return "int8";
  }
  return "fp32";
}

const char* name_of(IsaLevel level) { return level == IsaLevel::avx2 ? "avx2" : "scalar"; }

}  // namespace weir::kernels
