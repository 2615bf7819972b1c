#!/usr/bin/env bash
# The committed studies are what their scripts make today: same figures, same pictures.
set -euo pipefail
root=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$root/results/bisection.py" "$made"
diff -r "$root/results/bisection" "$made"
nets=${WEFT_SHARED:-$root/../shared}/data/fabrics
if [ -d "$nets" ]; then
  mkdir "$made/opensm"
  "$root/results/opensm.py" "$nets" "$made/opensm"
  diff -r "$root/results/opensm" "$made/opensm"
else
  echo "results/opensm: skipped, no shared data"
fi
