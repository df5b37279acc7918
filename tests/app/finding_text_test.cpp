// Everything that the doctor may find is Chinese for those who read Chinese: on made-up machines with and without
// faults.
#include "reports/finding_text.h"

#include <gtest/gtest.h>

#include "chinese.h"
#include "probes/doctor.h"
#include "run_weir.h"

namespace weir::reports {
namespace {

using cli::testing::english_left;
using cli::testing::has_han;
using cli::testing::Scratch;

/// A machine as /proc and /sys show it.
class Machine {
 public:
  void write(const std::string& file, const std::string& text) const {
    std::filesystem::create_directories((root_ / file).parent_path());
    cli::testing::write_file(root_ / file, text);
  }
  void write_cpus(int count, int sockets, int cores, const std::string& flags) const {
    std::string text;
    for (int cpu = 0; cpu < count; ++cpu) {
      text += "processor\t: " + std::to_string(cpu) +
              "\nmodel name\t: CPU 9\nphysical id\t: " + std::to_string(cpu % sockets) +
              "\ncore id\t\t: " + std::to_string(cpu % cores) + "\nflags\t\t: " + flags + "\n\n";
    }
    write("proc/cpuinfo", text);
  }
  int expect_chinese() const {
    int sentences = 0;
    for (const probes::Finding& finding : probes::examine_machine(root_.folder())) {
      const bool is_name = finding.key == "gpu" || finding.key == "cpu";
      EXPECT_TRUE(is_name || has_han(say(Language::zh_CN, finding.key)) || finding.key == "numa") << finding.key;
      const std::string given =
          "docker podman madvise always never contended echo performance powersave taskset cpuset cgroup "
          "numactl";
      for (const std::string& text :
           {finding_value(Language::zh_CN, finding.key, finding.value), finding_cost(Language::zh_CN, finding.cost),
            translate(Language::zh_CN, finding.advice)}) {
        EXPECT_EQ(english_left(text, given), "") << finding.key << ": " << text;
        sentences += has_han(text) ? 1 : 0;
      }
    }
    return sentences;
  }

 private:
  Scratch root_;
};

TEST(FindingText, NothingIsVisible) { EXPECT_GE(Machine().expect_chinese(), 10); }

TEST(FindingText, AllIsWell) {
  const Machine machine;
  machine.write_cpus(4, 2, 2, "avx2 fma f16c avx512f avx512_vnni avx_vnni avx512_bf16 amx_int8 amx_bf16");
  machine.write("proc/self/status", "Cpus_allowed_list:\t0-3\n");
  machine.write("proc/meminfo", "MemTotal: 67108864 kB\nMemAvailable: 60000000 kB\nSwapTotal: 0 kB\nSwapFree: 0 kB\n");
  machine.write("proc/loadavg", "0.10 0.20 0.30 1/100 999\n");
  machine.write("sys/kernel/mm/transparent_hugepage/enabled", "always [madvise] never\n");
  machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "performance\n");
  machine.write("proc/driver/nvidia/version", "NVRM version: NVIDIA UNIX x86_64 Kernel Module  580.95.05  Tue\n");
  EXPECT_GE(machine.expect_chinese(), 9);
}

TEST(FindingText, AllIsWrong) {
  const Machine machine;
  machine.write_cpus(4, 1, 1, "fpu sse4_2 hypervisor");
  machine.write("proc/self/status", "Cpus_allowed_list:\t1,3\n");
  machine.write("proc/self/cgroup", "0::/docker/b\n");
  machine.write("sys/fs/cgroup/docker/b/cpu.max", "150000 100000\n");
  machine.write("sys/fs/cgroup/docker/b/memory.max", "2000000000\n");
  machine.write("proc/meminfo",
                "MemTotal: 9000000 kB\nMemAvailable: 100000 kB\nSwapTotal: 1000000 kB\nSwapFree: 0 kB\n");
  machine.write("proc/loadavg", "9.00 0.20 0.30 1/100 999\n");
  machine.write("proc/pressure/cpu", "some avg10=50.50 avg60=0.00 avg300=0.00 total=1\n");
  machine.write("sys/kernel/mm/transparent_hugepage/enabled", "always madvise [never]\n");
  machine.write("sys/devices/system/node/online", "0-1\n");
  machine.write("sys/devices/system/cpu/cpu0/cpufreq/scaling_governor", "powersave\n");
  machine.write("sys/class/dmi/id/product_name", "KVM\n");
  machine.write("sys/devices/system/cpu/cpu0/cache/index3/level", "3\n");
  machine.write("sys/devices/system/cpu/cpu0/cache/index3/size", "320M\n");
  machine.write("sys/devices/system/cpu/cpu0/cache/index3/type", "Unified\n");
  machine.write("dev/nvidia0", "");
  EXPECT_GE(machine.expect_chinese(), 25);
}

}  // namespace
}  // namespace weir::reports
