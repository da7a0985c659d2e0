#!/bin/sh
# Runs a bench: expect-pass.sh NAME COMMAND... Succeeds only if the bench exits with 0 and prints
# its own PASS line with at least one check; an empty run or another bench's line is a failure.
set -eu
name=$1
shift
status=0
output=$("$@" 2>&1) || status=$?
printf '%s\n' "$output"
[ "$status" -eq 0 ] || { echo "exit status $status"; exit 1; }
printf '%s\n' "$output" | grep -qx "PASS $name checks=[1-9][0-9]*" ||
    { echo "no line PASS $name checks=N"; exit 1; }
