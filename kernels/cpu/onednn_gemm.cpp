#include "kernels/cpu/float_gemm.h"

#if defined(WEIR_HAVE_ONEDNN)

#include <algorithm>
#include <dnnl.hpp>
#include <map>
#include <stdexcept>
#include <tuple>
#include <utility>
#include <vector>

#include "kernels/cpu/aligned_memory.h"

#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_OMP && defined(WEIR_HAVE_OPENMP)
#include <omp.h>
#define WEIR_LIBRARY_USES_OPENMP 1
#endif

namespace weir::kernels::cpu {
namespace {

using dnnl::memory;

#if DNNL_CPU_RUNTIME == DNNL_RUNTIME_SEQ || defined(WEIR_LIBRARY_USES_OPENMP)
constexpr bool kOneThreadPerCall = true;
#else
/// A oneDNN whose threads cannot be held back (TBB, or OpenMP with a compiler that has none): one call for all columns,
/// and oneDNN takes the threads it wants.
constexpr bool kOneThreadPerCall = false;
#endif

/// A weight slice is one oneDNN matrix for one of our threads; oneDNN blocks columns by 64.
constexpr std::int64_t kSliceColumns = 64;
constexpr std::int64_t kMaxRows = 512;
/// The layout is asked for at this many rows first; 2.6.3 was seen to want the same one at all.
constexpr std::int64_t kUsualRows = 16;

/// oneDNN compiles a kernel for each number of rows, which takes it milliseconds. Up to 64 rows each number has its
/// own; above, it is rounded up by at most one eighth.
std::int64_t padded_rows(std::int64_t m) {
  std::int64_t step = 1;
  for (std::int64_t limit = 64; m > limit; limit *= 2) step = limit / 8;
  return (m + step - 1) / step * step;
}

#if defined(WEIR_LIBRARY_USES_OPENMP)
class OneLibraryThread {
 public:
  OneLibraryThread() : before_(omp_get_max_threads()) { omp_set_num_threads(1); }
  ~OneLibraryThread() { omp_set_num_threads(before_); }
  OneLibraryThread(const OneLibraryThread&) = delete;
  OneLibraryThread& operator=(const OneLibraryThread&) = delete;

 private:
  int before_;
};
#else
class OneLibraryThread {
 public:
  OneLibraryThread() {}
};
#endif

memory::data_type type_in_library(DataType type) {
  return type == DataType::bf16 ? memory::data_type::bf16 : memory::data_type::f32;
}

struct Layout {
  memory::desc desc;
  AlignedMemory bytes;
};

struct Slice {
  std::int64_t begin = 0, columns = 0;
  std::vector<Layout> layouts;  ///< the first is the one made by pack()
};

class OneDnnWeights final : public PackedWeights {
 public:
  OneDnnWeights(DataType type, std::int64_t n, std::int64_t k) : type_(type), n_(n), k_(k) {}
  std::int64_t n() const override { return n_; }
  std::int64_t k() const override { return k_; }
  DataType type() const override { return type_; }
  std::size_t bytes() const override {
    std::size_t sum = 0;
    for (const Slice& slice : slices) sum += slice.layouts.front().bytes.bytes();
    return sum;
  }

  /// Layouts are added when a number of rows wants another one: a cache, hence mutable.
  mutable std::vector<Slice> slices;

 private:
  DataType type_;
  std::int64_t n_, k_;
};

struct Multiply {
  dnnl::matmul::primitive_desc desc;
  dnnl::matmul primitive;
};

template <class Body>
auto guarded(const Body& body) {
  try {
    const OneLibraryThread one;
    return body();
  } catch (const dnnl::error& error) {
    throw DeviceError(std::string("oneDNN: ") + error.what());
  }
}

class OneDnnGemm final : public FloatGemm {
 public:
  OneDnnGemm(ThreadPool& pool, const KernelTable& table)
      : pool_(pool), table_(table), engine_(dnnl::engine::kind::cpu, 0) {
    for (int i = 0; i < pool.threads(); ++i) streams_.emplace_back(engine_);
    scratchpads_.resize(streams_.size());
  }

  PackedWeightsPtr pack(DataType type, std::int64_t n, std::int64_t k, std::span<const float> weights) override {
    return guarded([&]() -> PackedWeightsPtr {
      auto packed = std::make_unique<OneDnnWeights>(type, n, k);
      const std::int64_t groups = (n + kSliceColumns - 1) / kSliceColumns;
      const int parts = kOneThreadPerCall ? static_cast<int>(std::min<std::int64_t>(pool_.threads(), groups)) : 1;
      for (int i = 0; i < parts; ++i) {
        const IndexRange range = static_split(groups, parts, i);
        Slice slice;
        slice.begin = range.begin * kSliceColumns;
        slice.columns = std::min(range.end * kSliceColumns, n) - slice.begin;
        const memory::desc wanted = multiply(type, kUsualRows, slice.columns, k).desc.weights_desc();
        slice.layouts.push_back({wanted, AlignedMemory(wanted.get_size())});
        packed->slices.push_back(std::move(slice));
      }
      pool_.hand_out(parts, [&](std::int64_t i, int thread) {
        Slice& slice = packed->slices[static_cast<std::size_t>(i)];
        // [n, k] row by row is a [k, n] matrix column by column.
        const memory::desc given({k, slice.columns}, memory::data_type::f32, memory::dims{1, k});
        reorder(given, weights.data() + slice.begin * k, slice.layouts.front(), thread);
      });
      return packed;
    });
  }

  void gemm(const float* a, const PackedWeights& w, float* c, std::int64_t m) override {
    const auto* packed = dynamic_cast<const OneDnnWeights*>(&w);
    if (packed == nullptr) throw std::invalid_argument("gemm: the weights were packed by another device");
    guarded([&] {
      for (std::int64_t row = 0; row < m; row += kMaxRows) {
        multiply_rows(a + row * packed->k(), *packed, c + row * packed->n(), std::min(kMaxRows, m - row));
      }
    });
  }

 private:
  const Multiply& multiply(DataType type, std::int64_t m, std::int64_t n, std::int64_t k) {
    const auto key = std::make_tuple(type, m, n, k);
    const auto found = multiplies_.find(key);
    if (found != multiplies_.end()) return found->second;
    const memory::data_type inner = type_in_library(type);
    const memory::desc a({m, k}, inner, memory::format_tag::ab);
    const memory::desc b({k, n}, inner, memory::format_tag::any);
    const memory::desc c({m, n}, memory::data_type::f32, memory::format_tag::ab);
    dnnl::primitive_attr attributes;
    attributes.set_scratchpad_mode(dnnl::scratchpad_mode::user);  // one primitive runs on several threads at once
    Multiply result;
#if DNNL_VERSION_MAJOR >= 3  // 3.0 took the operation descriptors out
    result.desc = dnnl::matmul::primitive_desc(engine_, a, b, c, attributes);
#else
    result.desc = dnnl::matmul::primitive_desc(dnnl::matmul::desc(a, b, c), attributes, engine_);
#endif
    result.primitive = dnnl::matmul(result.desc);
    return multiplies_.emplace(key, std::move(result)).first->second;
  }

  void reorder(const memory::desc& from, const void* data, Layout& to, int thread) {
    memory source(from, engine_, const_cast<void*>(data));  // oneDNN has no memory that is read-only
    memory target(to.desc, engine_, to.bytes.data());
    dnnl::stream& stream = streams_[static_cast<std::size_t>(thread)];
    dnnl::reorder(source, target).execute(stream, source, target);
    stream.wait();
  }

  const Layout& layout_for(Slice& slice, const memory::desc& wanted) {
    for (const Layout& layout : slice.layouts) {
      if (layout.desc == wanted) return layout;
    }
    Layout added{wanted, AlignedMemory(wanted.get_size())};
    reorder(slice.layouts.front().desc, slice.layouts.front().bytes.data(), added, 0);
    slice.layouts.push_back(std::move(added));
    return slice.layouts.back();
  }

  /// The activations in the type and with the number of rows the kernel wants.
  const void* prepare_rows(const float* a, DataType type, std::int64_t rows, std::int64_t padded, std::int64_t k) {
    if (type == DataType::fp32 && rows == padded) return a;
    const std::size_t row_bytes = static_cast<std::size_t>(k) * size_of(type);
    a_.reserve(static_cast<std::size_t>(padded) * row_bytes);
    pool_.split(padded, [&](std::int64_t begin, std::int64_t end, int) {
      for (std::int64_t r = begin; r < end; ++r) {
        std::byte* out = a_.data() + static_cast<std::size_t>(r) * row_bytes;
        if (r >= rows) {
          std::fill_n(out, row_bytes, std::byte{0});
        } else if (type == DataType::bf16) {
          table_.to_bfloat(a + r * k, reinterpret_cast<std::uint16_t*>(out), k);
        } else {
          std::copy_n(a + r * k, k, reinterpret_cast<float*>(out));
        }
      }
    });
    return a_.data();
  }

  void multiply_rows(const float* a, const OneDnnWeights& w, float* c, std::int64_t rows) {
    const std::int64_t n = w.n(), k = w.k(), padded = padded_rows(rows);
    const void* inner_a = prepare_rows(a, w.type(), rows, padded, k);
    c_.reserve(static_cast<std::size_t>(padded * n) * sizeof(float));
    std::vector<std::pair<const Multiply*, const Layout*>> work;
    for (Slice& slice : w.slices) {
      const Multiply& kernel = multiply(w.type(), padded, slice.columns, k);
      work.emplace_back(&kernel, &layout_for(slice, kernel.desc.weights_desc()));
    }
    pool_.hand_out(static_cast<std::int64_t>(work.size()), [&](std::int64_t i, int thread) {
      const Slice& slice = w.slices[static_cast<std::size_t>(i)];
      const auto& [kernel, layout] = work[static_cast<std::size_t>(i)];
      // A kernel of 2.6.3 for a result with gaps between its rows is 2 to 5 times slower: dense, then copied.
      float* dense = c_.as<float>() + padded * slice.begin;
      execute(*kernel, inner_a, *layout, dense, thread);
      for (std::int64_t r = 0; r < rows; ++r) {
        std::copy_n(dense + r * slice.columns, slice.columns, c + r * n + slice.begin);
      }
    });
  }

  void execute(const Multiply& kernel, const void* a, const Layout& weights, float* c, int thread) {
    AlignedMemory& scratch = scratchpads_[static_cast<std::size_t>(thread)];
    const memory::desc scratch_desc = kernel.desc.scratchpad_desc();
    scratch.reserve(scratch_desc.get_size());
    dnnl::stream& stream = streams_[static_cast<std::size_t>(thread)];
    kernel.primitive.execute(
        stream, {{DNNL_ARG_SRC, memory(kernel.desc.src_desc(), engine_, const_cast<void*>(a))},
                 {DNNL_ARG_WEIGHTS, memory(weights.desc, engine_, const_cast<std::byte*>(weights.bytes.data()))},
                 {DNNL_ARG_DST, memory(kernel.desc.dst_desc(), engine_, c)},
                 {DNNL_ARG_SCRATCHPAD, memory(scratch_desc, engine_, scratch.data())}});
    stream.wait();
  }

  ThreadPool& pool_;
  const KernelTable& table_;
  dnnl::engine engine_;
  std::vector<dnnl::stream> streams_;
  std::vector<AlignedMemory> scratchpads_;
  std::map<std::tuple<DataType, std::int64_t, std::int64_t, std::int64_t>, Multiply> multiplies_;
  AlignedMemory a_, c_;
};

}  // namespace

std::unique_ptr<FloatGemm> make_onednn_gemm(ThreadPool& pool, const KernelTable& table) {
  try {
    return std::make_unique<OneDnnGemm>(pool, table);
  } catch (const dnnl::error& error) {
    throw DeviceError(std::string("oneDNN: ") + error.what());
  }
}

std::string onednn_version() {
  const dnnl_version_t* version = dnnl_version();
  return "oneDNN " + std::to_string(version->major) + "." + std::to_string(version->minor) + "." +
         std::to_string(version->patch);
}

void use_one_library_thread() {
#if defined(WEIR_LIBRARY_USES_OPENMP)
  omp_set_num_threads(1);
#endif
}

}  // namespace weir::kernels::cpu

#else

namespace weir::kernels::cpu {

std::unique_ptr<FloatGemm> make_onednn_gemm(ThreadPool&, const KernelTable&) { return nullptr; }
std::string onednn_version() { return {}; }
void use_one_library_thread() {}

}  // namespace weir::kernels::cpu

#endif
