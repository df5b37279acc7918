#include <gtest/gtest.h>

#include <atomic>
#include <filesystem>
#include <fstream>
#include <limits>
#include <stdexcept>

#include "kernel_test_support.h"
#include "kernels/cpu/cpu_info.h"
#include "kernels/cpu/thread_pool.h"

namespace weir::kernels {
namespace {

using testing::EachLevel;
using testing::to_device;
namespace fs = std::filesystem;

class CpuDevice : public EachLevel {};
WEIR_EACH_LEVEL(CpuDevice);

TEST_P(CpuDevice, DescribesItself) {
  const DeviceInfo info = EachLevel::device(3)->info();
  EXPECT_EQ(info.kind, "cpu");
  EXPECT_EQ(info.threads, 3);
  EXPECT_EQ(info.isa, name_of(GetParam()));
  EXPECT_FALSE(info.name.empty());
  EXPECT_GT(info.memory_bytes, 1e8);
  EXPECT_EQ(make_cpu_device(0, GetParam())->info().threads, cpu::usable_threads());
}

TEST_P(CpuDevice, ShapesThatDoNotFitAreRefused) {
  const auto device = EachLevel::device(1);
  const BufferPtr a = device->allocate(64), c = device->allocate(64);
  const auto w = device->pack_weights(DataType::int8, 4, 4, std::vector<float>(16, 1.0F));
  EXPECT_NO_THROW(device->gemm(*a, *w, *c, 4));
  EXPECT_NO_THROW(device->gemm(*a, *w, *c, 0));
  EXPECT_THROW(device->gemm(*a, *w, *c, 5), std::invalid_argument);
  EXPECT_THROW(device->gemm(*a, *w, *c, -1), std::invalid_argument);
  EXPECT_THROW(device->gemm(*a, *w, *c, std::int64_t{1} << 62), std::invalid_argument);
  EXPECT_THROW(device->gemm(*a, *w, *a, 1), std::invalid_argument);
  EXPECT_THROW(device->pack_weights(DataType::fp32, 4, 4, std::vector<float>(15, 1.0F)), std::invalid_argument);
  EXPECT_THROW(device->pack_weights(DataType::fp32, 0, 4, {}), std::invalid_argument);
  EXPECT_THROW(device->pack_weights(DataType::fp16, 4, 4, std::vector<float>(16, 1.0F)), DeviceError);
  EXPECT_THROW(device->rms_norm(*a, *a, *c, 2, 9, 1e-5F), std::invalid_argument);
  EXPECT_THROW(device->silu_mul(*a, *c, 1, 9), std::invalid_argument);
  EXPECT_THROW(device->add(*a, *c, 17), std::invalid_argument);
  EXPECT_THROW(device->add(*a, *c, -1), std::invalid_argument);
  const std::vector<std::byte> many(65);
  EXPECT_THROW(device->upload(*a, many), std::invalid_argument);
  std::vector<std::byte> into(65);
  EXPECT_THROW(device->download(into, *a), std::invalid_argument);
}

TEST_P(CpuDevice, WeightsOfAnotherLevelAreRefused) {
  if (!testing::has_level(IsaLevel::avx2) || make_cpu_device(1)->info().libraries.empty()) {
    GTEST_SKIP() << "both levels use the same weights here";
  }
  const IsaLevel other = GetParam() == IsaLevel::scalar ? IsaLevel::avx2 : IsaLevel::scalar;
  const auto w = make_cpu_device(1, other)->pack_weights(DataType::fp32, 4, 4, std::vector<float>(16, 1.0F));
  const auto device = EachLevel::device(1);
  const BufferPtr a = device->allocate(64), c = device->allocate(64);
  EXPECT_THROW(device->gemm(*a, *w, *c, 1), std::invalid_argument);
}

TEST_P(CpuDevice, AttentionBatchesThatDoNotFitAreRefused) {
  const auto device = EachLevel::device(1);
  const KvCachePtr cache = device->allocate_kv({2, 8, 16, 4});
  const BufferPtr qkv = to_device(*device, std::vector<float>(8 * 8 * 4, 0.5F));  // 4 heads, 2 + 2 KV, 4 tokens
  const BufferPtr out = device->allocate(4 * 4 * 8 * sizeof(float));
  const std::vector<std::int32_t> one{1}, two{2}, context{20}, table{3, 0}, bad_table{3, 4}, long_context{33}, none;
  const auto decode = [&](const AttentionBatch& batch, std::int64_t heads = 4) {
    device->attention_decode(*qkv, *cache, *out, heads, batch);
  };
  EXPECT_NO_THROW(decode({one, context, table, 2}));
  EXPECT_NO_THROW(device->attention_prefill(*qkv, *cache, *out, 4, {two, context, table, 2}));
  EXPECT_THROW(decode({one, context, table, 2}, 3), std::invalid_argument);    // heads no multiple of kv_heads
  EXPECT_THROW(decode({one, context, bad_table, 2}), std::invalid_argument);   // no block 4
  EXPECT_THROW(decode({one, long_context, table, 2}), std::invalid_argument);  // 33 tokens in 2 blocks
  EXPECT_THROW(decode({one, context, table, 0}), std::invalid_argument);
  EXPECT_THROW(decode({one, context, table, 3}), std::invalid_argument);  // table too short
  EXPECT_THROW(decode({one, none, table, 2}), std::invalid_argument);
  EXPECT_THROW(decode({two, context, table, 2}), std::invalid_argument);  // decode is one token
  EXPECT_THROW(decode({two, one, table, 2}), std::invalid_argument);      // more new tokens than context
  const std::vector<std::int32_t> five{5};
  EXPECT_THROW(device->attention_prefill(*qkv, *cache, *out, 4, {five, context, table, 2}), std::invalid_argument);
  EXPECT_THROW(device->attention_prefill(*qkv, *cache, *qkv, 4, {two, context, table, 2}), std::invalid_argument);
}

TEST_P(CpuDevice, AppendsThatDoNotFitAreRefused) {
  const auto device = EachLevel::device(1);
  const KvCachePtr cache = device->allocate_kv({1, 4, 16, 2});
  const BufferPtr qkv = to_device(*device, std::vector<float>(2 * 12, 0.5F));
  const std::vector<std::int32_t> table{0, 1}, sequence{0, 0}, position{30, 31}, far{30, 32}, negative{0, -1},
      other{0, 1};
  const auto append = [&](std::int64_t tokens, const std::vector<std::int32_t>& s, const std::vector<std::int32_t>& p) {
    device->rope_append_kv(*qkv, *cache, tokens, 1, s, p, {{}, {}, table, 2}, 10000.0F);
  };
  EXPECT_NO_THROW(append(2, sequence, position));
  EXPECT_THROW(append(1, sequence, position), std::invalid_argument);
  EXPECT_THROW(append(2, sequence, far), std::invalid_argument);
  EXPECT_THROW(append(2, sequence, negative), std::invalid_argument);
  EXPECT_THROW(append(2, other, position), std::invalid_argument);
  const KvCachePtr odd = device->allocate_kv({1, 3, 16, 2});
  EXPECT_THROW(device->rope_append_kv(*qkv, *odd, 2, 1, sequence, position, {{}, {}, table, 2}, 1e4F),
               std::invalid_argument);
}

TEST_P(CpuDevice, KvShapes) {
  const auto device = EachLevel::device(1);
  const KvShape shape{2, 64, 16, 10};
  const KvCachePtr cache = device->allocate_kv(shape);
  EXPECT_EQ(cache->bytes(), 2U * 64U * 16U * 10U * 2U * 2U);  // K and V, 2 bytes each
  EXPECT_EQ(cache->shape().blocks, 10);
  EXPECT_THROW(device->allocate_kv({2, 64, 16, 0}), std::invalid_argument);
  EXPECT_THROW(device->allocate_kv({2, 64, 10, 4}), DeviceError);
  EXPECT_THROW(device->allocate_kv({1 << 20, 1 << 20, 16, 1 << 20}), std::invalid_argument);  // beyond 64 bits
}

TEST_P(CpuDevice, NoMemoryIsADeviceError) {
  const auto device = EachLevel::device(1);
  EXPECT_THROW(device->allocate(std::size_t{1} << 50), DeviceError);
  EXPECT_THROW(device->allocate(std::numeric_limits<std::size_t>::max()), DeviceError);
  EXPECT_EQ(device->allocate(0)->bytes(), 0U);
}

TEST(MakeCpuDevice, RefusesNegativeThreads) { EXPECT_THROW(make_cpu_device(-1), std::invalid_argument); }

TEST(ThreadPool, RunsEveryItemOnceAndIsReusable) {
  for (const int threads : {1, 2, 7}) {
    cpu::ThreadPool pool(threads);
    for (int round = 0; round < 200; ++round) {
      std::vector<std::atomic<int>> counts(23);
      pool.split(23, [&](std::int64_t begin, std::int64_t end, int) {
        for (std::int64_t i = begin; i < end; ++i) ++counts[static_cast<std::size_t>(i)];
      });
      pool.hand_out(23, [&](std::int64_t i, int) { ++counts[static_cast<std::size_t>(i)]; });
      for (const auto& count : counts) ASSERT_EQ(count.load(), 2);
    }
  }
}

TEST(ThreadPool, HandsAnExceptionOnAndLives) {
  cpu::ThreadPool pool(3);
  for (const int thrower : {0, 2}) {
    EXPECT_THROW(pool.run([&](int index) {
      if (index == thrower) throw DeviceError("broken");
    }),
                 DeviceError);
  }
  std::atomic<int> runs{0};
  pool.run([&](int) { ++runs; });
  EXPECT_EQ(runs.load(), 3);
}

TEST(StaticSplit, CoversEverythingEvenly) {
  // 10 over 4: 3 3 2 2.
  const std::vector<std::int64_t> begins{0, 3, 6, 8};
  for (int i = 0; i < 4; ++i) EXPECT_EQ(cpu::static_split(10, 4, i).begin, begins[static_cast<std::size_t>(i)]);
  EXPECT_EQ(cpu::static_split(10, 4, 3).end, 10);
  EXPECT_EQ(cpu::static_split(2, 4, 3).begin, cpu::static_split(2, 4, 3).end);
}

class Cgroups : public ::testing::Test {
 protected:
  void SetUp() override {
    root_ = fs::path(::testing::TempDir()) /
            ("weir_cgroup_" + std::to_string(::testing::UnitTest::GetInstance()->random_seed()) +
             ::testing::UnitTest::GetInstance()->current_test_info()->name());
    fs::remove_all(root_);
  }
  void TearDown() override { fs::remove_all(root_); }
  void write(const fs::path& path, const std::string& text) const {
    fs::create_directories((root_ / path).parent_path());
    std::ofstream(root_ / path) << text;
  }
  fs::path root_;
};

TEST_F(Cgroups, Version2TakesTheTightestOfAllParents) {
  write("a/b/cpu.max", "250000 100000\n");
  write("a/cpu.max", "150000 100000\n");
  write("a/b/memory.max", "max\n");
  write("a/memory.max", "1073741824\n");
  const auto limits = cpu::read_cgroup_limits("0::/a/b\n", root_);
  EXPECT_DOUBLE_EQ(limits.cpus, 1.5);
  EXPECT_DOUBLE_EQ(limits.memory_bytes, 1073741824.0);
}

TEST_F(Cgroups, Version2WithoutLimits) {
  write("cpu.max", "max 100000\n");
  const auto limits = cpu::read_cgroup_limits("0::/\n", root_);
  EXPECT_EQ(limits.cpus, 0.0);
  EXPECT_EQ(limits.memory_bytes, 0.0);
}

TEST_F(Cgroups, Version1) {
  write("cpu/x/cpu.cfs_quota_us", "300000\n");
  write("cpu/x/cpu.cfs_period_us", "100000\n");
  write("cpu/cpu.cfs_quota_us", "-1\n");
  write("cpu/cpu.cfs_period_us", "100000\n");
  write("memory/x/memory.limit_in_bytes", "2000000000\n");
  const auto limits = cpu::read_cgroup_limits("5:memory:/x\n4:cpu,cpuacct:/x\n3:pids:/x\n", root_);
  EXPECT_DOUBLE_EQ(limits.cpus, 3.0);
  EXPECT_DOUBLE_EQ(limits.memory_bytes, 2e9);
}

}  // namespace
}  // namespace weir::kernels
