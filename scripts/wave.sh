#!/bin/sh
# A waveform of one program in Icarus: wave.sh BUILD-DIR [PROG]. Without PROG, program B of the
# structured model's first step.
set -eu
build=$1
prog=${2:-}
if [ -z "$prog" ]; then
    "$build/bin/capra" decode --steps 1 --programs "$build/wave" > /dev/null
    prog=$build/wave/001-B0.json
fi
"$build/bin/capra" run "$prog" --write-replay "$build/wave.hex" > /dev/null
vvp -n "$build/tb/replay_tb.vvp" -fst "+replay=$build/wave.hex" "+wave=$build/wave.fst"
echo "$build/wave.fst: $prog; to look at it: gtkwave $build/wave.fst tb/replay_tb.gtkw"
