#pragma once

#include <filesystem>
#include <string>
#include <string_view>

#include <nlohmann/json.hpp>

namespace weir::data {

/// Reads a JSON file. Throws InputError: missing file, or syntax with line and column.
nlohmann::ordered_json read_json_file(const std::filesystem::path& file);

/// The same for a text that is already in memory; `file` is what errors call it.
nlohmann::ordered_json parse_json(std::string_view text, const std::string& file);

/// Checks `"schema": "weir.NAME/1"`: another name or a newer major is an InputError; a newer minor ("/1.3") is read.
void require_schema(const nlohmann::ordered_json& json, const std::string& file, std::string_view name);

/// Text with two blanks of indentation and a final newline. Doubles in the shortest form that reads back; NaN and
/// infinities are a std::logic_error: an undefined number is null and the caller says so.
std::string dump(const nlohmann::ordered_json& json);

/// Writes a temporary beside the target, syncs and renames: the target is the old or the new file, never half of one.
/// Throws SystemError.
void write_file_atomically(const std::filesystem::path& file, std::string_view text);

}  // namespace weir::data
