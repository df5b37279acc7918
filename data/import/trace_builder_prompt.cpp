// What prompts hold: sessions, turns and prefix hashes; and who sent them.
#include <algorithm>
#include <charconv>

#include "data/errors.h"
#include "data/import/trace_builder.h"

namespace weir::data {
namespace {

constexpr std::int64_t kHashSizes[] = {16, 32, 64, 128, 256, 512, 1024};

bool is_between(char c) { return c == ' ' || c == '\t' || c == ',' || c == ';'; }

/// Reads whole numbers of 64 bits, signed or not, with blanks, commas or semicolons between, in brackets or not.
bool read_hashes(std::string_view text, std::vector<std::uint64_t>& to) {
  if (text.starts_with('[') && text.ends_with(']')) text = text.substr(1, text.size() - 2);
  const char* at = text.data();
  const char* const end = at + text.size();
  while (true) {
    while (at != end && is_between(*at)) ++at;
    if (at == end) return true;
    std::uint64_t value = 0;
    std::from_chars_result result{};
    if (*at == '-') {
      std::int64_t negative = 0;
      result = std::from_chars(at, end, negative);
      value = static_cast<std::uint64_t>(negative);
    } else {
      result = std::from_chars(at, end, value);
    }
    if (result.ec != std::errc() || (result.ptr != end && !is_between(*result.ptr))) return false;
    to.push_back(value);
    at = result.ptr;
  }
}

std::int64_t blocks(std::int64_t tokens, std::int64_t tokens_per_hash) {
  return (tokens + tokens_per_hash - 1) / tokens_per_hash;
}

/// The number of a name: the next one for a name that is new; -1 for no name.
std::int32_t number_of(const Field* field, std::unordered_map<std::string, std::int32_t>& names) {
  if (field == nullptr || field->kind != Field::Kind::text) return -1;
  const std::string_view name = trimmed(field->text);
  if (name.empty()) return -1;
  return names.emplace(name, static_cast<std::int32_t>(names.size())).first->second;
}

}  // namespace

/// Reads turn and hashes into prompt_ and hashes_; returns why they cannot be any.
std::string TraceBuilder::read_prompt(const Record& record) {
  prompt_ = {};
  hashes_.clear();
  const Field* turn = field(record, Role::turn);
  if (turn != nullptr && turn->kind != Field::Kind::null && !trimmed(turn->text).empty()) {
    if (std::string reason = read_count(record, Role::turn, prompt_.turn); !reason.empty()) return reason;
  }
  const Field* list = field(record, Role::prefix);
  if (list == nullptr || list->kind == Field::Kind::null) return {};
  const std::string_view text = trimmed(list->text);
  if (list->kind != Field::Kind::nested && read_hashes(text, hashes_)) return {};
  return valid_utf8(layout_.name_of(Role::prefix)) + " is not a list of whole numbers";
}

void TraceBuilder::keep_prompt(const Record& record, Request& request) {
  request.client = number_of(field(record, Role::client), clients_);
  prompt_.session = number_of(field(record, Role::session), sessions_);
  if (hashes_.empty() && prompt_.session < 0 && prompt_.turn < 0) return;
  prompt_.first_hash = static_cast<std::int64_t>(trace_.hashes.size());
  prompt_.hash_count = static_cast<std::int32_t>(hashes_.size());
  trace_.hashes.insert(trace_.hashes.end(), hashes_.begin(), hashes_.end());
  request.prompt = static_cast<std::int32_t>(trace_.prompts.size());
  trace_.prompts.push_back(prompt_);
}

/// How many rows have another number of hashes than their prompt has blocks of that many tokens.
std::int64_t TraceBuilder::misfits(std::int64_t tokens_per_hash, Seen* rows) const {
  std::int64_t count = 0;
  for (std::size_t i = 0; i < trace_.requests.size(); ++i) {
    const Request& request = trace_.requests[i];
    const auto hashes = static_cast<std::int64_t>(trace_.hashes_of(request).size());
    if (hashes == 0 || hashes == blocks(request.input_tokens, tokens_per_hash)) continue;
    ++count;
    if (rows != nullptr) rows->add(lines_[i]);
  }
  return count;
}

/// How many tokens a hash stands for. Two sizes fit all rows only when no prompt is longer than the smaller one: then
/// a prompt is one block either way.
void TraceBuilder::settle_hashes() {
  if (std::all_of(trace_.requests.begin(), trace_.requests.end(),
                  [&](const Request& r) { return trace_.hashes_of(r).empty(); })) {
    return;
  }
  std::int64_t best = kHashSizes[0];
  if (options_.tokens_per_hash) {
    best = *options_.tokens_per_hash;
  } else {
    std::int64_t fewest = misfits(best, nullptr);
    for (const std::int64_t size : kHashSizes) {
      if (const std::int64_t count = misfits(size, nullptr); count < fewest) best = size, fewest = count;
    }
  }
  misfits(best, &hash_misfits_);
  if (hash_misfits_.count > 0 && !options_.tokens_per_hash) {
    throw InputError(file_, "line " + std::to_string(hash_misfits_.lines.front()), "",
                     "its number of prefix hashes fits no block of 16, 32, ... or 1024 tokens that fits the other "
                     "rows: say how many tokens a hash stands for (--tokens-per-hash)");
  }
  trace_.tokens_per_hash = static_cast<std::int32_t>(best);
  for (const Request& request : trace_.requests) {
    if (request.prompt < 0) continue;
    Prompt& prompt = trace_.prompts[static_cast<std::size_t>(request.prompt)];
    prompt.hash_count =
        static_cast<std::int32_t>(std::min<std::int64_t>(prompt.hash_count, blocks(request.input_tokens, best)));
  }
  constexpr std::int64_t kMooncake = 512;
  if (layout_.format != "mooncake" || best != kMooncake) {
    trace_.warnings.push_back("each prefix hash stands for " + std::to_string(best) + " tokens" +
                              (options_.tokens_per_hash ? "" : ", as their numbers say"));
  }
}

}  // namespace weir::data
