#pragma once

#include <filesystem>
#include <string>
#include <vector>

#include "data/calibration.h"
#include "data/progress.h"

namespace weir::probes {

/// What weir-probe says on its pipe, one JSON object a line:
///   {"event":"progress","fraction":0.25,"what":"gemm int8 m=8 n=4096 k=4096"}
///   {"event":"result","document":{...}}      last line of a run that succeeded
///   {"event":"error","message":"..."}        then exit code 1 (or 3 for bad input)
struct ProbeOptions {
  std::string device = "cpu";
  bool full = false;  ///< quick: at most 60 s on 2 cores
};

/// Runs `weir-probe calibrate` as a child and returns its calibration. Throws SystemError when the program is not found
/// beside this one (or at $WEIR_PROBE), when it fails or is killed; InputError when it refuses the device; Cancelled
/// when progress says so (the child is ended).
data::Calibration run_probe(const ProbeOptions& options, const data::Progress& progress = {});

/// `weir-probe doctor --json -`: the report as JSON text (weir.doctor/1).
std::string run_doctor();

/// The probe program: $WEIR_PROBE (when set, no other), else beside this program, else on PATH; empty if there is none.
std::filesystem::path find_probe_program();

}  // namespace weir::probes
