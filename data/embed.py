#!/usr/bin/env python3
"""Writes a C++ file with the bytes of the given files and a table of their paths relative to --root.

String literals of 8 KiB rather than lists of numbers: they compile 20 times faster.
"""
import argparse
import pathlib


def literal(data: bytes) -> str:
    out = []
    for byte in data:
        char = chr(byte)
        if char in '"\\?':
            out.append("\\" + char)
        elif 32 <= byte < 127:
            out.append(char)
        elif char == "\n":
            out.append("\\n")
        else:
            out.append(f"\\{byte:03o}")
    return '"' + "".join(out) + '"'


def main() -> None:
    parser = argparse.ArgumentParser(description=__doc__)
    parser.add_argument("--root", required=True, type=pathlib.Path)
    parser.add_argument("--out", required=True, type=pathlib.Path)
    parser.add_argument("files", nargs="*", type=pathlib.Path)
    args = parser.parse_args()

    rows = []
    text = ['#include "data/embedded.h"\n\nnamespace weir::data {\nnamespace {\n']
    for number, path in enumerate(sorted(args.files)):
        data = path.read_bytes()
        chunks = [literal(data[at : at + 8192]) for at in range(0, len(data), 8192)] or ['""']
        text.append(f"constexpr char kFile{number}[] =\n    " + "\n    ".join(chunks) + ";\n")
        name = path.resolve().relative_to(args.root.resolve()).as_posix()
        rows.append(f'    {{"{name}", std::string_view(kFile{number}, {len(data)})}},\n')
    text.append("constexpr EmbeddedFile kFiles[] = {\n" + "".join(rows) + '    {"", ""}};\n}  // namespace\n\n')
    text.append(f"std::span<const EmbeddedFile> embedded_files() {{ return {{kFiles, {len(rows)}}}; }}\n\n")
    text.append("}  // namespace weir::data\n")
    args.out.write_text("".join(text), encoding="ascii")


if __name__ == "__main__":
    main()
