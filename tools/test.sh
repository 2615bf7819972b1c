#!/usr/bin/env bash
# tools/test.sh [CTEST ARGS...]: installs what is missing, builds Weft, and runs the whole fast test suite.
set -euo pipefail

here=$(dirname "$(realpath "${BASH_SOURCE[0]}")")
"$here/setup.sh" packages build
"$here/setup.sh" build release
exec ctest --test-dir "$here/../build/release" -L fast --parallel "$("$here/setup.sh" jobs)" --output-on-failure --no-tests=error "$@"
