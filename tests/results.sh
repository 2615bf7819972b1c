#!/usr/bin/env bash
# The committed study results/bisection is what its script makes today: same figures, same picture.
set -euo pipefail
root=$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")
made=$(mktemp -d)
trap 'rm -rf "$made"' EXIT
"$root/results/bisection.py" "$made"
diff -r "$root/results/bisection" "$made"
