#!/usr/bin/env bash
# tools/run.sh ARGS...: installs what is missing, builds Weft, and runs `weft run ARGS...` in the caller's folder.
set -euo pipefail

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
"$here/setup.sh" packages build
"$here/setup.sh" build release weft
exec "$here/../build/release/weft" run "$@"
