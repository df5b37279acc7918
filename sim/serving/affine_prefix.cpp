#include "sim/serving/affine_prefix.h"

#include <algorithm>

namespace weir::sim {

AffinePrefix::AffinePrefix(const Rules& rules, std::size_t slots)
    : cache_(rules.kv_blocks, rules.block_tokens),
      block_tokens_(rules.block_tokens),
      admission_limit_(rules.kv_blocks - rules.watermark_blocks),
      by_arrival_(rules.decode_by_arrival),
      members_(slots) {}

bool AffinePrefix::fits(const QueuedRequest& request, std::int64_t length, std::int64_t blocks, std::int64_t held,
                        std::int64_t step) {
  catch_up(request, step);
  // Free blocks only become fewer: what did not fit still does not, unless somebody else holds more of it now.
  const bool known = failed_.version == version_ && failed_.index == request.index && failed_.length == length;
  if (known && held + blocks - failed_.found_held > admission_limit_) return false;
  if (held > cache_.held()) cache_.take(held - cache_.held());
  cache_.look_up(request, (length - 1) / block_tokens_);
  if (held + blocks - cache_.found_held() <= admission_limit_) return true;
  failed_ = {request.index, length, cache_.found_held(), version_};
  return false;
}

bool AffinePrefix::may_find_more(const QueuedRequest& request) const {
  const std::int64_t session = session_of(request);
  return session >= 0 && sessions_.contains(session);
}

std::int64_t AffinePrefix::start(Slot slot, const QueuedRequest& request) {
  Member& member = members_[slot];
  member.request = &request;
  member.shareable = cache_.shareable(request);
  member.decodes = false;
  if (const std::int64_t session = session_of(request); session >= 0) ++sessions_[session].running;
  ++version_;
  return cache_.found() - cache_.share(member.holding);
}

void AffinePrefix::read(Slot slot, std::int64_t tokens, std::int64_t step) {
  Member& member = members_[slot];
  const std::int64_t blocks = std::min(tokens / block_tokens_, member.shareable);
  if (blocks <= member.holding.published) return;
  catch_up(*member.request, step);
  publish(member, blocks);
}

void AffinePrefix::join(Slot slot, std::int64_t base) {
  Member& member = members_[slot];
  member.base = base;
  member.decodes = true;
  const std::int64_t session = session_of(*member.request);
  if (session < 0) return;
  std::vector<Slot>& decoding = sessions_[session].decoding;
  auto place = decoding.end();
  if (by_arrival_) {
    while (place != decoding.begin() && members_[place[-1]].request->arrival > member.request->arrival) --place;
  }
  decoding.insert(place, slot);
}

std::int64_t AffinePrefix::finish(Slot slot, std::int64_t blocks, std::int64_t step) {
  catch_up(*members_[slot].request, step);
  return give_back(slot, blocks);
}

std::int64_t AffinePrefix::evict(Slot slot, std::int64_t blocks, std::int64_t tokens, std::int64_t step) {
  Member& member = members_[slot];
  catch_up(*member.request, step);
  publish(member, tokens / block_tokens_);
  return give_back(slot, blocks);
}

std::int64_t AffinePrefix::give_back(Slot slot, std::int64_t blocks) {
  Member& member = members_[slot];
  if (session_of(*member.request) >= 0) leave_session(slot);
  ++version_;
  return blocks - cache_.give_back(member.holding, blocks - member.holding.published);
}

void AffinePrefix::leave_session(Slot slot) {
  const auto found = sessions_.find(session_of(*members_[slot].request));
  if (--found->second.running == 0) {
    sessions_.erase(found);
  } else {
    std::erase(found->second.decoding, slot);
  }
}

void AffinePrefix::publish(Member& member, std::int64_t blocks) {
  if (blocks <= member.holding.published) return;
  cache_.publish(member.holding, *member.request, blocks);
  ++version_;
}

/// The decodes of a request's session have filled blocks until step `step`, and in it.
void AffinePrefix::catch_up(const QueuedRequest& request, std::int64_t step) {
  const std::int64_t session = session_of(request);
  if (session < 0) return;
  const auto found = sessions_.find(session);
  if (found == sessions_.end() || found->second.decoding.empty()) return;
  const std::vector<Slot>& decoding = found->second.decoding;
  if (decoding.size() > 1) return catch_up_in_turn(decoding, step);
  Member& member = members_[decoding.front()];
  publish(member, (member.base + step) / block_tokens_);
}

/// When several fill blocks of the same text it matters who was first: step by step, within a step in order.
void AffinePrefix::catch_up_in_turn(const std::vector<Slot>& decoding, std::int64_t step) {
  const auto full_in = [this](Slot slot) {
    const Member& member = members_[slot];
    return (member.holding.published + 1) * block_tokens_ - member.base;
  };
  const auto sooner = [&](Slot a, Slot b) { return full_in(a) < full_in(b); };
  for (;;) {
    const Slot next = *std::min_element(decoding.begin(), decoding.end(), sooner);  // of equal ones the first
    if (full_in(next) > step) return;
    publish(members_[next], members_[next].holding.published + 1);
  }
}

}  // namespace weir::sim
