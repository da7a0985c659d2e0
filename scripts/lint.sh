#!/bin/sh
# One lint check by name, on the whole tree: lint.sh CHECK BUILD-DIR. Silent when clean.
set -eu
check=$1
build=$2
cd "$(dirname "$0")/.."

rooms="isa sim compiler model stem report mutation exercises tools tests"

# C++ files of the project; an answer.cpp is a student's.
cxx_files() {
    find $rooms -name '*.[ch]pp' ! -path 'exercises/*/answer.cpp' "$@"
}

# Modules of the RTL; the file has the module's name.
modules() {
    for file in rtl/*.v; do basename "$file" .v; done
}

case $check in
format)
    cxx_files -print0 | xargs -0 clang-format --dry-run -Werror
    ;;
includes)
    # Who may include whom: the table of docs/architecture.md.
    awk '
        BEGIN {
            may["isa"] = "isa"; may["sim"] = "isa sim"; may["compiler"] = "isa compiler"
            may["model"] = "isa compiler sim model"
            may["stem"] = "isa compiler sim model stem"
            may["report"] = "isa compiler sim model report"
            may["mutation"] = "isa compiler sim model mutation"
            may["exercises"] = "isa compiler sim model stem mutation exercises"
            may["tools"] = "isa compiler sim model stem report mutation tools"
            may["tests"] = "isa compiler sim model stem report mutation exercises tools tests"
        }
        # Quotes or angle brackets, spaced in any way; a room is the first folder of the path.
        /^[ \t]*#[ \t]*include[ \t]*["<]/ {
            split(FILENAME, path, "/")
            name = $0; sub(/^[ \t]*#[ \t]*include[ \t]*["<]/, "", name); sub(/[">].*/, "", name)
            split(name, parts, "/")
            if (parts[1] in may && index(" " may[path[1]] " ", " " parts[1] " ") == 0) {
                print FILENAME ":" FNR ": " path[1] " may not include " name; bad = 1
            }
        }
        END { exit bad }' $(cxx_files)
    # The RTL includes the generated header and the assertion macro, nothing else.
    if grep -n '`include' rtl/*.v | grep -v '`include "\(isa\|assert\).vh"'; then exit 1; fi
    ;;
generated)
    "$build/bin/isagen" verilog | diff -u rtl/isa.vh - ||
        { echo "rtl/isa.vh is out of date: build/bin/isagen verilog > rtl/isa.vh"; exit 1; }
    "$build/bin/isagen" mnemonics | diff -u tb/mnemonic.vh - ||
        { echo "tb/mnemonic.vh is out of date: build/bin/isagen mnemonics > tb/mnemonic.vh"; exit 1; }
    "$build/bin/isagen" manual | diff -u docs/isa.md - ||
        { echo "docs/isa.md is out of date: build/bin/isagen manual > docs/isa.md"; exit 1; }
    ;;
iverilog)
    # -Wall prints and exits 0: any output is a failure. Every module elaborates alone.
    for module in $(modules); do
        warnings=$(iverilog -g2005 -Wall -t null -Irtl -s "$module" rtl/*.v 2>&1) || true
        [ -z "$warnings" ] || { echo "$module: $warnings"; exit 1; }
    done
    ;;
verilator)
    for module in $(modules); do
        verilator --lint-only -Wall -Irtl --top-module "$module" rtl/capra.vlt rtl/*.v
    done
    ;;
yosys)
    mkdir -p "$build/yosys"
    log=$(cd "$build/yosys" && pwd)/synth.log
    (cd rtl && yosys -q -l "$log" -s synth.ys > /dev/null)
    ;;
*)
    echo "lint.sh: no check named '$check'" >&2
    exit 2
    ;;
esac
