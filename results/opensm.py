#!/usr/bin/env python3
"""Weft's routing engines against OpenSM's own tables, net by net.

    results/opensm.py NETS [FOLDER]      writes agreement.csv

NETS holds a folder a net: `ibnetdiscover.txt`, and below it a folder for each engine that OpenSM was asked for, with its
`opensm-lfts.dump` and `opensm-log-excerpt.txt` (what it logged); files may be gzipped. Run it from the checkout, with
`weft` built (tools/run.sh does that).
"""
import csv
import gzip
import json
import re
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEFT = ROOT / "build/release/weft"
COLUMNS = ["net", "engine", "opensm_routed_by", "weft_routed_by", "pairs", "reached", "hops_equal", "entries", "entries_equal",
           "most_flows_opensm", "most_flows_weft", "lanes_opensm", "lanes_weft", "credit_loop_weft"]


def weft(*arguments):
    done = subprocess.run([WEFT, "fabric", *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 4, 5):  # 4: a credit loop, as OpenSM's tables may have; 5: tables differ
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def find(folder, name):
    return next((path for path in (folder / name, folder / (name + ".gz")) if path.exists()), None)


def read(path):
    return gzip.open(path, "rt", errors="replace").read() if path.suffix == ".gz" else path.read_text(errors="replace")


def lanes_told(log):
    """Lanes with paths on them, as dfsssp and lash log them."""
    layers = re.findall(r"Lanes in layer (\d+): [1-9]", log)
    lanes = re.findall(r"dfsssp_remove_deadlocks: +(\d+)\. lane: [1-9]", log)
    return len(set(layers or lanes)) or ""


def row(net, discovered, asked):
    tables = find(asked, "opensm-lfts.dump")
    log = read(find(asked, "opensm-log-excerpt.txt"))
    ran = re.findall(r"(\S+) tables configured on all switches", log)[-1]
    found = weft("compare", discovered, "--lft", tables, "--with-engine", f"{asked.name},minhop")
    theirs, ours = found["tables"]["routes"]
    return [net.name, asked.name, ran, ours["routes"], ours["pairs"], ours["reached"],
            "yes" if all(hops["first"] == hops["second"] for hops in found["tables"]["hops"]) else "no", found["entries"],
            found["entries"] - found["entries_different"], theirs["flows_max"], ours["flows_max"],
            lanes_told(log) if ran == asked.name else "", ours["lanes"], ours["credit_loop"]]


def main():
    if len(sys.argv) not in (2, 3):
        sys.exit(__doc__)
    folder = Path(sys.argv[2] if len(sys.argv) == 3 else ROOT / "results/opensm")
    folder.mkdir(parents=True, exist_ok=True)
    rows = []
    for net in sorted(path for path in Path(sys.argv[1]).iterdir() if path.is_dir()):
        discovered = find(net, "ibnetdiscover.txt")
        engines = sorted(path for path in net.iterdir() if path.is_dir()) if discovered else []
        rows += [row(net, discovered, asked) for asked in engines if find(asked, "opensm-lfts.dump")]
    with open(folder / "agreement.csv", "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(COLUMNS)
        table.writerows(rows)


if __name__ == "__main__":
    main()
