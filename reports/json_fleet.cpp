// What became of the replicas of a run.
#include "reports/json_parts.h"

namespace weir::reports::parts {

Json fleet_record(const sim::FleetRecord& fleet) {
  return {{"replica_hours", number(fleet.replica_hours)},
          {"replicas_mean", number(fleet.replicas_mean)},
          {"replicas_peak", fleet.replicas_peak},
          {"open_mean", number(fleet.open_mean)},
          {"down_share", number(fleet.down_share)},
          {"failures", fleet.failures},
          {"maintained", fleet.maintained},
          {"retried", fleet.retried},
          {"scale_ups", fleet.scale_ups},
          {"scale_downs", fleet.scale_downs}};
}

Json pools(const std::vector<sim::PoolResult>& pools) {
  Json json = Json::array();
  for (const sim::PoolResult& pool : pools) {
    json.push_back({{"accelerator", pool.accelerator},
                    {"replicas", pool.replicas},
                    {"accelerators_per_replica", pool.accelerators_per_replica},
                    {"cloud", pool.cloud},
                    {"gpu_busy", number(pool.gpu_busy)},
                    {"mfu", number(pool.mfu)},
                    {"mbu", number(pool.mbu)},
                    {"kv_occupancy", number(pool.kv_occupancy)},
                    {"output_tokens", pool.output_tokens},
                    {"joules", pool.joules ? number(*pool.joules) : Json(nullptr)}});
  }
  return json;
}

}  // namespace weir::reports::parts
