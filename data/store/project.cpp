#include "data/store/project.h"

#include <algorithm>
#include <nlohmann/json.hpp>

#include "data/store/database.h"
#include "data/store/save_copy.h"
#include "data/store/trace_columns.h"

namespace weir::data {
namespace {

using Json = nlohmann::json;

std::string text_of(const Json& json) { return json.dump(-1, ' ', false, Json::error_handler_t::replace); }

void bind_blob(SQLite::Statement& statement, int at, const std::string& bytes) {
  statement.bindNoCopy(at, bytes.data(), static_cast<int>(bytes.size()));
}

std::int64_t insert_trace_row(SQLite::Database& database, const Trace& trace) {
  SQLite::Statement insert(database,
                           "INSERT INTO traces (name, kind, format, origin, requests, rows_read, rows_imported, "
                           "rows_rejected, rows_blank, class_names, warnings, rejected, tokens_per_hash) "
                           "VALUES (?,?,?,?,?,?,?,?,?,?,?,?,?)");
  insert.bind(1, trace.name);
  insert.bind(2, trace.kind);
  insert.bind(3, trace.format);
  if (trace.origin) insert.bind(4, *trace.origin);  // unbound is NULL
  insert.bind(5, static_cast<std::int64_t>(trace.requests.size()));
  insert.bind(6, trace.rows.read);
  insert.bind(7, trace.rows.imported);
  insert.bind(8, trace.rows.rejected);
  insert.bind(9, trace.rows.blank);
  Json rejected = Json::array();
  for (const RejectedRow& row : trace.rejected) rejected.push_back(Json::array({row.line, row.reason}));
  insert.bind(10, text_of(Json(trace.class_names)));
  insert.bind(11, text_of(Json(trace.warnings)));
  insert.bind(12, text_of(rejected));
  insert.bind(13, trace.tokens_per_hash);
  insert.exec();
  return database.getLastInsertRowid();
}

void insert_chunks(SQLite::Database& database, std::int64_t id, const std::vector<Request>& requests) {
  SQLite::Statement insert(database, "INSERT INTO trace_chunks VALUES (?,?,?,?,?,?,?,?,?)");
  for (std::size_t from = 0, chunk = 0; from < requests.size(); from += kChunkRequests, ++chunk) {
    const std::size_t count = std::min(kChunkRequests, requests.size() - from);
    const PackedColumns columns = pack(std::span(requests).subspan(from, count));
    insert.reset();
    insert.bind(1, id);
    insert.bind(2, static_cast<std::int64_t>(chunk));
    insert.bind(3, static_cast<std::int64_t>(count));
    bind_blob(insert, 4, columns.arrival);
    bind_blob(insert, 5, columns.input_tokens);
    bind_blob(insert, 6, columns.output_tokens);
    bind_blob(insert, 7, columns.items);
    bind_blob(insert, 8, columns.class_index);
    bind_blob(insert, 9, columns.status);
    insert.exec();
  }
}

void insert_prompts(SQLite::Database& database, std::int64_t id, const Trace& trace) {
  SQLite::Statement insert(database, "INSERT INTO trace_prompts VALUES (?,?,?,?,?,?,?)");
  for (std::size_t from = 0, chunk = 0; from < trace.requests.size(); from += kChunkRequests, ++chunk) {
    const PackedPrompts columns = pack_prompts(trace, from, std::min(kChunkRequests, trace.requests.size() - from));
    if (columns.empty()) continue;
    insert.reset();
    insert.bind(1, id);
    insert.bind(2, static_cast<std::int64_t>(chunk));
    bind_blob(insert, 3, columns.client);
    bind_blob(insert, 4, columns.session);
    bind_blob(insert, 5, columns.turn);
    bind_blob(insert, 6, columns.hash_count);
    bind_blob(insert, 7, columns.hashes);
    insert.exec();
  }
}

void delete_trace(SQLite::Database& database, const std::string& name) {
  for (const char* sql : {"DELETE FROM trace_prompts WHERE trace = (SELECT id FROM traces WHERE name = ?)",
                          "DELETE FROM trace_chunks WHERE trace = (SELECT id FROM traces WHERE name = ?)",
                          "DELETE FROM traces WHERE name = ?"}) {
    SQLite::Statement statement(database, sql);
    statement.bind(1, name);
    statement.exec();
  }
}

/// The texts that describe a trace; throws Json::exception when they are not what schema.sql says.
void read_texts(SQLite::Statement& row, Trace& trace) {
  trace.class_names = Json::parse(row.getColumn(10).getString()).get<std::vector<std::string>>();
  trace.warnings = Json::parse(row.getColumn(11).getString()).get<std::vector<std::string>>();
  for (const Json& entry : Json::parse(row.getColumn(12).getString())) {
    trace.rejected.push_back({entry.at(0).get<std::int64_t>(), entry.at(1).get<std::string>()});
  }
}

bool read_chunks(SQLite::Database& database, std::int64_t id, std::int64_t requests, Trace& trace) {
  SQLite::Statement rows(database,
                         "SELECT requests, arrival, input_tokens, output_tokens, items, class_index, status "
                         "FROM trace_chunks WHERE trace = ? ORDER BY chunk");
  rows.bind(1, id);
  while (rows.executeStep()) {
    const std::int64_t count = rows.getColumn(0).getInt64();
    const PackedColumns columns{rows.getColumn(1).getString(), rows.getColumn(2).getString(),
                                rows.getColumn(3).getString(), rows.getColumn(4).getString(),
                                rows.getColumn(5).getString(), rows.getColumn(6).getString()};
    if (count < 0 || !unpack(columns, static_cast<std::size_t>(count), trace.requests)) return false;
  }
  const auto classes = static_cast<std::int64_t>(trace.class_names.size());
  return static_cast<std::int64_t>(trace.requests.size()) == requests &&
         std::all_of(trace.requests.begin(), trace.requests.end(),
                     [&](const Request& r) { return r.class_index >= -1 && r.class_index < classes; });
}

/// Project files of version 1 know nothing of prompts.
bool has_prompts(SQLite::Database& database) { return database.tableExists("trace_prompts"); }

bool read_prompts(SQLite::Database& database, std::int64_t id, Trace& trace) {
  SQLite::Statement size(database, "SELECT tokens_per_hash FROM traces WHERE id = ?");
  size.bind(1, id);
  if (!size.executeStep()) return false;
  trace.tokens_per_hash = size.getColumn(0).getInt();
  SQLite::Statement rows(database,
                         "SELECT chunk, client, session, turn, hash_count, hashes FROM trace_prompts "
                         "WHERE trace = ? ORDER BY chunk");
  rows.bind(1, id);
  while (rows.executeStep()) {
    const std::int64_t chunk = rows.getColumn(0).getInt64();
    const auto chunks = static_cast<std::int64_t>((trace.requests.size() + kChunkRequests - 1) / kChunkRequests);
    if (chunk < 0 || chunk >= chunks) return false;
    const std::size_t from = static_cast<std::size_t>(chunk) * kChunkRequests;
    const PackedPrompts columns{rows.getColumn(1).getString(), rows.getColumn(2).getString(),
                                rows.getColumn(3).getString(), rows.getColumn(4).getString(),
                                rows.getColumn(5).getString()};
    if (!unpack_prompts(columns, from, std::min(kChunkRequests, trace.requests.size() - from), trace)) return false;
  }
  return trace.hashes.empty() || trace.tokens_per_hash > 0;
}

std::vector<std::string> names(SQLite::Statement& statement) {
  std::vector<std::string> out;
  while (statement.executeStep()) out.push_back(statement.getColumn(0).getString());
  return out;
}

ProjectDatabase::Access access_of(Project::Mode mode) {
  if (mode == Project::Mode::read_only) return ProjectDatabase::Access::read_only;
  return mode == Project::Mode::create ? ProjectDatabase::Access::create : ProjectDatabase::Access::read_write;
}

}  // namespace

struct Project::State {
  ProjectDatabase database;
};

Project::Project(std::unique_ptr<State> state) : state_(std::move(state)) {}
Project::Project(Project&&) noexcept = default;
Project& Project::operator=(Project&&) noexcept = default;
Project::~Project() = default;

Project Project::open(const std::filesystem::path& file, Mode mode) {
  return Project(std::unique_ptr<State>(new State{ProjectDatabase(file, access_of(mode))}));
}

void Project::put_document(const std::string& kind, const std::string& name, const std::string& json) {
  put_documents({{kind, name, json}});
}

void Project::put_documents(const std::vector<Document>& documents) {
  state_->database.write([&](SQLite::Database& database) {
    SQLite::Statement insert(database, "INSERT OR REPLACE INTO documents (kind, name, json) VALUES (?,?,?)");
    for (const Document& document : documents) {
      insert.reset();
      insert.bind(1, document.kind);
      insert.bind(2, document.name);
      insert.bind(3, document.json);
      insert.exec();
    }
  });
}

void Project::remove_document(const std::string& kind, const std::string& name) {
  state_->database.write([&](SQLite::Database& database) {
    SQLite::Statement statement(database, "DELETE FROM documents WHERE kind = ? AND name = ?");
    statement.bind(1, kind);
    statement.bind(2, name);
    statement.exec();
  });
}

std::optional<std::string> Project::document(const std::string& kind, const std::string& name) const {
  std::optional<std::string> out;
  state_->database.read([&](SQLite::Database& database) {
    SQLite::Statement select(database, "SELECT json FROM documents WHERE kind = ? AND name = ?");
    select.bind(1, kind);
    select.bind(2, name);
    if (select.executeStep()) out = select.getColumn(0).getString();
  });
  return out;
}

std::vector<std::string> Project::document_names(const std::string& kind) const {
  std::vector<std::string> out;
  state_->database.read([&](SQLite::Database& database) {
    SQLite::Statement select(database, "SELECT name FROM documents WHERE kind = ? ORDER BY name");
    select.bind(1, kind);
    out = names(select);
  });
  return out;
}

void Project::put_trace(const Trace& trace) {
  state_->database.write([&](SQLite::Database& database) {
    delete_trace(database, trace.name);
    const std::int64_t id = insert_trace_row(database, trace);
    insert_chunks(database, id, trace.requests);
    insert_prompts(database, id, trace);
  });
}

std::optional<Trace> Project::trace(const std::string& name) const {
  std::optional<Trace> out;
  state_->database.read([&](SQLite::Database& database) {
    SQLite::Statement row(database,
                          "SELECT id, name, kind, format, origin, requests, rows_read, rows_imported, rows_rejected, "
                          "rows_blank, class_names, warnings, rejected FROM traces WHERE name = ?");
    row.bind(1, name);
    if (!row.executeStep()) return;
    Trace trace;
    trace.name = row.getColumn(1).getString();
    trace.kind = row.getColumn(2).getString();
    trace.format = row.getColumn(3).getString();
    if (!row.getColumn(4).isNull()) trace.origin = row.getColumn(4).getString();
    trace.rows = {row.getColumn(6).getInt64(), row.getColumn(7).getInt64(), row.getColumn(8).getInt64(),
                  row.getColumn(9).getInt64()};
    try {
      read_texts(row, trace);
    } catch (const Json::exception&) {
      state_->database.damaged("the description of the trace " + name);
    }
    const std::int64_t id = row.getColumn(0).getInt64();
    if (!read_chunks(database, id, row.getColumn(5).getInt64(), trace) ||
        (has_prompts(database) && !read_prompts(database, id, trace))) {
      state_->database.damaged("the requests of the trace " + name);
    }
    out = std::move(trace);
  });
  return out;
}

void Project::remove_trace(const std::string& name) {
  state_->database.write([&](SQLite::Database& database) { delete_trace(database, name); });
}

void Project::save_copy_to(const std::filesystem::path& target) const {
  save_copy(target,
            [&](const std::filesystem::path& temporary) { state_->database.copy_into(temporary, target.string()); });
}

std::vector<std::string> Project::trace_names() const {
  std::vector<std::string> out;
  state_->database.read([&](SQLite::Database& database) {
    SQLite::Statement select(database, "SELECT name FROM traces ORDER BY name");
    out = names(select);
  });
  return out;
}

}  // namespace weir::data
