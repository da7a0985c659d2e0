#!/bin/sh
# Installs the Debian packages that are missing: install-deps.sh [LIST], where LIST is a file of
# this folder, packages.txt unless another is named.
set -eu
list=${1:-packages.txt}
cd "$(dirname "$0")"

if ! command -v dpkg-query > /dev/null; then
    echo "not a Debian system: install what scripts/$list lists by other means" >&2
    exit 0
fi

missing=
while read -r package; do
    state=$(dpkg-query -W -f '${db:Status-Status}' "$package" 2> /dev/null || true)
    [ "$state" = installed ] || missing="$missing $package"
done < "$list"
[ -n "$missing" ] || exit 0

if [ "$(id -u)" = 0 ]; then
    as_root=
elif command -v sudo > /dev/null && sudo -v; then
    as_root=sudo
else
    echo "missing packages, and neither root nor sudo to install them:$missing" >&2
    exit 2
fi

echo "installing$missing"
$as_root apt-get update -qq
# shellcheck disable=SC2086 # the list is meant to be split
$as_root env DEBIAN_FRONTEND=noninteractive \
    apt-get install -y -qq --no-install-recommends $missing > /dev/null
