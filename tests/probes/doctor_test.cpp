#include "probes/doctor.h"

#include <gmock/gmock.h>
#include <gtest/gtest.h>

#include <algorithm>
#include <nlohmann/json.hpp>
#include <set>
#include <string>

#include "probes/machine_files.h"
#include "temporary_folder.h"

namespace weir::probes {
namespace {

using testing::HasSubstr;

constexpr const char* kFullFlags = "fpu avx avx2 fma f16c avx512f avx512_vnni avx_vnni avx512_bf16 amx_int8 amx_bf16";

/// A machine with two sockets of two cores, 64 GiB, nothing wrong.
class DoctorTest : public testing::Test {
 protected:
  void SetUp() override {
    write_cpuinfo(kFullFlags);
    root_.write("proc/self/status", "Name:\tx\nCpus_allowed_list:\t0-3\n");
    root_.write("proc/self/cgroup", "0::/a/b\n");
    root_.write("proc/meminfo",
                "MemTotal:       67108864 kB\nMemAvailable:   60000000 kB\nSwapTotal:  0 kB\nSwapFree:  0 kB\n");
    root_.write("proc/loadavg", "0.10 0.20 0.30 1/100 999\n");
    root_.write("proc/pressure/cpu", "some avg10=0.50 avg60=0.00 avg300=0.00 total=1\n");
    root_.write("sys/fs/cgroup/a/b/cpu.max", "max 100000\n");
    root_.write("sys/fs/cgroup/a/b/memory.max", "max\n");
    root_.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
    root_.write("sys/devices/system/node/online", "0\n");
    write_cache(2, 2, "2048K");
    write_cache(3, 3, "32M");
  }
  void write_cpuinfo(const std::string& flags) {
    std::string text;
    for (int cpu = 0; cpu < 4; ++cpu) {
      text += "processor\t: " + std::to_string(cpu) +
              "\nmodel name\t: Test CPU 9000\nphysical id\t: " + std::to_string(cpu / 2) +
              "\ncore id\t\t: " + std::to_string(cpu % 2) + "\nflags\t\t: " + flags + "\n\n";
    }
    root_.write("proc/cpuinfo", text);
  }
  void write_cache(int index, int level, const std::string& size) {
    const std::string folder = "sys/devices/system/cpu/cpu0/cache/index" + std::to_string(index) + "/";
    root_.write(folder + "level", std::to_string(level) + "\n");
    root_.write(folder + "size", size + "\n");
    root_.write(folder + "type", "Unified\n");
  }
  Finding find(const std::string& key) const {
    for (const Finding& finding : examine_machine(root_.path())) {
      if (finding.key == key) return finding;
    }
    ADD_FAILURE() << "no finding " << key;
    return {};
  }

  TemporaryFolder root_;
};

TEST_F(DoctorTest, AGoodMachineCostsNothing) {
  for (const Finding& finding : examine_machine(root_.path())) {
    EXPECT_NE(finding.severity, Severity::warning) << finding.key << ": " << finding.value;
    EXPECT_EQ(finding.cost, "") << finding.key;
  }
  EXPECT_EQ(find("cpu").value, "Test CPU 9000, 2 sockets, 4 cores, 4 threads");
  EXPECT_EQ(find("cpu-affinity").value, "4 of 4 threads may be used");
  EXPECT_EQ(find("cgroup-cpu").value, "no CPU quota");
  EXPECT_EQ(find("memory").value, "68.7 GB, 61.4 GB available");  // 67108864 KiB and 60000000 KiB
  EXPECT_EQ(find("caches").value, "L2 2.10 MB a core, L3 33.6 MB");
  EXPECT_EQ(find("huge-pages").value, "transparent huge pages: madvise");
  EXPECT_EQ(find("virtualised").value, "no");
  EXPECT_EQ(find("container").value, "none seen");
}

TEST_F(DoctorTest, MissingAvx2IsAWarningWithItsFactor) {
  write_cpuinfo("fpu sse4_2");
  const Finding isa = find("isa");
  EXPECT_EQ(isa.severity, Severity::warning);
  EXPECT_THAT(isa.cost, HasSubstr("no AVX2: our kernels run the scalar level, about 10x slower"));
  EXPECT_FALSE(isa.advice.empty());
}

TEST_F(DoctorTest, MissingExtrasAreANoteOnly) {
  write_cpuinfo("fpu avx2 fma f16c");
  const Finding isa = find("isa");
  EXPECT_EQ(isa.severity, Severity::note);
  EXPECT_EQ(isa.value, "AVX2 + FMA + F16C");
  EXPECT_THAT(isa.cost, HasSubstr("no AMX BF16"));
  EXPECT_THAT(isa.cost, testing::Not(HasSubstr("AVX2:")));
}

TEST_F(DoctorTest, CgroupTwoLimitsOfAnyParentCount) {
  root_.write("sys/fs/cgroup/a/cpu.max", "150000 100000\n");    // 1.5 CPUs, of the parent
  root_.write("sys/fs/cgroup/a/b/cpu.max", "300000 100000\n");  // 3 CPUs
  root_.write("sys/fs/cgroup/a/b/memory.max", "2000000000\n");
  const Finding cpu = find("cgroup-cpu"), memory = find("cgroup-memory");
  EXPECT_EQ(cpu.severity, Severity::warning);
  EXPECT_EQ(cpu.value, "CPU quota of 1.50 CPUs");
  EXPECT_THAT(cpu.cost, HasSubstr("2.7x slower"));  // 4 / 1.5
  EXPECT_EQ(memory.severity, Severity::note);
  EXPECT_EQ(memory.value, "limited to 2.00 GB of 68.7 GB");
}

TEST_F(DoctorTest, CgroupOneLimits) {
  root_.write("proc/self/cgroup", "4:memory:/docker/x\n1:cpu,cpuacct:/docker/x\n");
  root_.write("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_quota_us", "200000\n");
  root_.write("sys/fs/cgroup/cpu,cpuacct/docker/x/cpu.cfs_period_us", "100000\n");
  root_.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_quota_us", "-1\n");
  root_.write("sys/fs/cgroup/cpu,cpuacct/cpu.cfs_period_us", "100000\n");
  root_.write("sys/fs/cgroup/memory/docker/x/memory.limit_in_bytes", "9223372036854771712\n");  // "no limit"
  const CgroupLimits limits = cgroup_limits(root_.path());
  ASSERT_TRUE(limits.cpus.has_value());
  EXPECT_DOUBLE_EQ(*limits.cpus, 2.0);
  EXPECT_FALSE(limits.memory_bytes.has_value());
  EXPECT_EQ(find("container").value, "docker");
}

TEST_F(DoctorTest, AffinityLeavesPartOfTheCpu) {
  root_.write("proc/self/status", "Cpus_allowed_list:\t1,3\n");
  const Finding finding = find("cpu-affinity");
  EXPECT_EQ(finding.value, "2 of 4 threads may be used");
  EXPECT_EQ(finding.severity, Severity::note);
  EXPECT_THAT(finding.cost, HasSubstr("50 %"));
}

TEST_F(DoctorTest, SwapLoadAndHugePages) {
  root_.write("proc/meminfo", "MemTotal: 1000000 kB\nMemAvailable: 100000 kB\nSwapTotal: 1000000 kB\nSwapFree: 0 kB\n");
  root_.write("proc/loadavg", "3.00 0.20 0.30 1/100 999\n");
  root_.write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  EXPECT_EQ(find("swap").severity, Severity::warning);
  EXPECT_EQ(find("load").severity, Severity::warning);
  EXPECT_EQ(find("memory").severity, Severity::note);
  EXPECT_EQ(find("huge-pages").severity, Severity::note);
}

TEST_F(DoctorTest, NoDriverIsSaidPlainly) {
  const Finding finding = find("gpu-driver");
  EXPECT_EQ(finding.severity, Severity::note);
  EXPECT_EQ(finding.value, "no NVIDIA driver: GPUs of this machine, if any, cannot be measured");
}

TEST_F(DoctorTest, DriverTextGivesItsVersion) {
  root_.write(
      "proc/driver/nvidia/version",
      "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue Sep 23 10:00:00 UTC 2025\nGCC version: 12\n");
  root_.write("dev/nvidia0", "");
  root_.write("dev/nvidia1", "");
  root_.write("dev/nvidiactl", "");
  const Finding finding = find("gpu-driver");
  EXPECT_EQ(finding.severity, Severity::ok);
  EXPECT_EQ(finding.value, "NVIDIA driver 580.95.05, 2 device files");
}

TEST_F(DoctorTest, JsonHasEveryFinding) {
  const auto findings = examine_machine(root_.path());
  const nlohmann::ordered_json json = to_json(findings);
  EXPECT_EQ(json.at("schema"), "weir.doctor/1");
  ASSERT_EQ(json.at("findings").size(), findings.size());
  EXPECT_EQ(json["findings"][0]["key"], "cpu");
  EXPECT_EQ(json["findings"][0]["severity"], "ok");
}

TEST(Doctor, AnEmptyTreeGivesFindingsNotACrash) {
  const TemporaryFolder nothing;
  const auto findings = examine_machine(nothing.path());
  ASSERT_FALSE(findings.empty());
  EXPECT_EQ(findings[0].severity, Severity::warning);
}

TEST(Doctor, ThisMachineIsExamined) {
  std::set<std::string> keys;
  for (const Finding& finding : examine_machine()) {
    EXPECT_FALSE(finding.value.empty()) << finding.key;
    keys.insert(finding.key);
  }
  for (const char* key : {"cpu", "isa", "memory", "cgroup-cpu", "cgroup-memory", "gpu-driver", "load"}) {
    EXPECT_TRUE(keys.count(key)) << key;
  }
}

}  // namespace
}  // namespace weir::probes
