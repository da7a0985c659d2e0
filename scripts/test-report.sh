#!/bin/sh
# The report in a browser: test-report.sh BUILD-DIR. Makes pages of today's runs and has
# tests/report_browser.py open each as readers do; pages and screenshots stay in BUILD-DIR/report.
set -eu
build=$1
out=$build/report
capra=$build/bin/capra
mkdir -p "$out"
rm -f "$out"/*.png

# The chapter; many experts, near-ties and a heat map that scrolls; one step of one program.
"$build/bin/ch17_run" --json "$out/ch17.json" > /dev/null
"$capra" decode --model random --experts 16 --steps 60 --json "$out/random.json" > /dev/null
"$capra" decode --decoder single --steps 1 --json "$out/single.json" > /dev/null
for run in ch17 random single; do
    "$capra" report "$out/$run.json" -o "$out/$run.html"
done
tests/report_browser.py "$out/ch17.html" "$out/random.html" "$out/single.html" --screenshots "$out"
