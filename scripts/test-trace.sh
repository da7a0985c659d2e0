#!/bin/sh
# Timelines in a viewer of traces: test-trace.sh BUILD-DIR. Fetches speedscope, by its npm package of
# this version, and has tests/trace_viewer.py open timelines of a decode and of a run in it.
set -eu
build=$1
out=$build/trace
viewer=$out/viewer
mkdir -p "$out"

command -v npm > /dev/null ||
    { echo "test-trace.sh: npm is missing, in Debian it is the package npm" >&2; exit 2; }
npm install --prefix "$viewer" --ignore-scripts --no-audit --no-fund --silent speedscope@1.25.0

"$build/bin/capra" decode --steps 8 --trace "$out/decode.json" --programs "$out/programs" > /dev/null
"$build/bin/capra" run "$out/programs/014-A8.json" --trace "$out/run.json" > /dev/null
tests/trace_viewer.py "$viewer/node_modules/speedscope/dist/release/index.html" \
    "$out/decode.json" "$out/run.json"
