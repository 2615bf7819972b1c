#!/usr/bin/env bash
# Instructions the engine executes for a data packet-hop, counted by valgrind on the release build: a figure that does
# not depend on the machine or on what else it does, only on the code and the compiler (Debian 12's g++).
#
#   tests/bench/instructions.sh            compares with instructions.txt; 1 where one is more than 5 % above its figure
#   tests/bench/instructions.sh --update   writes what it finds into instructions.txt
#
# Two runs of a workload that differ only in how much is sent; the difference of their instructions over that of their
# packet-hops. What is done once (reading, routing, building, the first allocations) falls out.
set -euo pipefail

case "$*" in
  "" | --update) ;;
  *)
    echo "usage: tests/bench/instructions.sh [--update]" >&2
    exit 2
    ;;
esac
root=$(dirname "$(dirname "$(dirname "$(realpath "${BASH_SOURCE[0]}")")")")
figures=$root/tests/bench/instructions.txt
short=300000 long=1300000  # bytes of each of 128 hosts
"$root/tools/setup.sh" build release weft
scratch=$(mktemp -d)
trap 'rm -rf "$scratch"' EXIT

field() { sed -n "s/.*\"$1\": \([0-9]*\).*/\1/p" "$scratch/json" | head -n 1; }

count() {  # workload, bytes, packets an ACK: sets instructions, data_hops, ack_hops
  rm -f "$scratch"/count.*
  valgrind --quiet --tool=callgrind --callgrind-out-file="$scratch/count.%p" "$root/build/release/weft" bench \
    --hosts 128 --workload "$1" --bytes "$2" --ack-every "$3" --runs 1 --no-yardstick --json >"$scratch/json" || {
    echo "instructions: weft bench failed under valgrind" >&2
    exit 1
  }
  instructions=$(awk '/^totals:/ {sum += $2} END {printf "%d", sum}' "$scratch"/count.*)  # it measures in a child
  data_hops=$(field data_hops)
  ack_hops=$(field ack_hops)
}

"$root/build/release/weft" version | grep -q 'gcc 12' || echo "instructions: the figures on file are of g++ 12"
status=0
found=()
for workload in permutation spread; do
  count "$workload" "$long" 0
  all=$instructions hops=$data_hops acks=$ack_hops
  count "$workload" "$short" 0
  per_hop=$(((all - instructions) / (hops - data_hops)))
  found+=("$workload $per_hop")
  known=$(sed -n "s/^$workload //p" "$figures")
  note="on file $known"
  if [ $((per_hop * 100)) -gt $((known * 105)) ]; then
    note="$note: MORE than 5 % above"
    status=1
  elif [ $((per_hop * 100)) -lt $((known * 95)) ]; then
    note="$note: more than 5 % below; lower the figure with tests/bench/instructions.sh --update"
  fi
  echo "$workload: $per_hop instructions a data packet-hop ($note)"
  # The same bytes with an ACK for every packet instead of one a message: what the additional ACKs cost.
  few=$instructions few_acks=$ack_hops
  count "$workload" "$short" 1
  per_ack=$(((instructions - few) / (ack_hops - few_acks)))
  echo "$workload: $per_ack instructions an ACK's hop; with one ACK a packet they are" \
    "$(((instructions - few) * 100 / (per_hop * data_hops + instructions - few))) % of all, with one a message" \
    "$((per_ack * acks * 100 / (per_hop * hops))) %"
done
if [ "${1:-}" = --update ]; then
  { grep '^#' "$figures"; printf '%s\n' "${found[@]}"; } >"$scratch/figures"
  cat "$scratch/figures" >"$figures"
  echo "written to tests/bench/instructions.txt"
  exit 0
fi
exit "$status"
