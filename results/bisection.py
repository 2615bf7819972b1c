#!/usr/bin/env python3
"""Effective bisection bandwidth of full two-level trees under D-mod-K and under random up-ports: counted over many
random bisections, and checked in packets for some of them.

    results/bisection.py [FOLDER]        writes effective.csv, packets.csv and effective.svg; a minute or two

Run it from the checkout, with `weft` built (tools/run.sh does that).
"""
import csv
import json
import subprocess
import sys
from pathlib import Path

ROOT = Path(__file__).resolve().parent.parent
WEFT = ROOT / "build/release/weft"
SCENARIO = ROOT / "scenarios/fabrics/bisection.yaml"
TREES = [(16, 8), (64, 16), (648, 36), (2048, 64)]  # hosts, switch ports: 16 hosts use half of a tree of 32
ENGINES = ["dmodk", "random"]
SAMPLES = 200  # bisections counted
SEEDS = range(1, 6)  # of them in packets, too
LINE = 400 * 4096 / 4122  # Gb/s of payload on a link: the share of 1


def weft(*arguments):
    done = subprocess.run([WEFT, *arguments, "--json"], capture_output=True, text=True)
    if done.returncode not in (0, 4):  # 4: the expectation is that of the scenario as it stands
        sys.exit(done.stderr)
    return json.loads(done.stdout)


def sets(hosts, radix, engine):
    for assignment in (f"hosts={hosts}", f"radix={radix}"):
        yield from ("--set", f"fabric.topology.{assignment}")
    yield from ("--set", f"fabric.routing={engine}")


def counted(hosts, radix, engine, samples, seed):
    rows = weft("fabric", "load", SCENARIO, *sets(hosts, radix, engine), "--pattern", "bisection",
                "--samples", str(samples), "--seed", str(seed))["tables"]["load"]
    return next(row for row in rows if row["what"].startswith("bandwidth of a flow, share"))


def in_packets(hosts, radix, engine, seed):
    return weft("run", SCENARIO, *sets(hosts, radix, engine), "--seed", str(seed))["tables"]["streams"][0]["flow_avg"] / LINE


def write(path, columns, rows):
    with open(path, "w", newline="") as file:
        table = csv.writer(file, lineterminator="\n")
        table.writerow(columns)
        table.writerows(rows)


def picture(path, effective):
    width, height, left, top = 520, 300, 60, 20
    def x(tree): return left + 60 + tree * 115
    def y(share): return top + (1 - share) / 0.5 * (height - 70)
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{width}" height="{height}" font-family="sans-serif" font-size="12">',
           f'<rect width="{width}" height="{height}" fill="white"/>']
    for share in (0.5, 0.6, 0.7, 0.8, 0.9, 1.0):
        out.append(f'<line x1="{left}" x2="{width - 20}" y1="{y(share):.1f}" y2="{y(share):.1f}" stroke="#ddd"/>'
                   f'<text x="{left - 8}" y="{y(share) + 4:.1f}" text-anchor="end">{share:.1f}</text>')
    for tree, (hosts, _) in enumerate(TREES):
        out.append(f'<text x="{x(tree)}" y="{height - 28}" text-anchor="middle">{hosts:,}</text>')
    out.append(f'<text x="{(left + width) / 2}" y="{height - 8}" text-anchor="middle">hosts of a full two-level tree</text>')
    for engine, colour in zip(ENGINES, ("#1f77b4", "#d95f02")):
        points = [(x(tree), row) for tree, (hosts, _) in enumerate(TREES)
                  for row in effective if row[0] == hosts and row[1] == engine]
        out.append(f'<polyline fill="none" stroke="{colour}" points="' + " ".join(f"{px},{y(row[2]):.1f}" for px, row in points) + '"/>')
        for px, row in points:
            out.append(f'<line x1="{px}" x2="{px}" y1="{y(row[3]):.1f}" y2="{y(row[4]):.1f}" stroke="{colour}" stroke-width="5"/>'
                       f'<circle cx="{px}" cy="{y(row[2]):.1f}" r="3" fill="{colour}"/>')
        px, row = points[-1]
        out.append(f'<text x="{px - 4}" y="{y(row[2]) - 9:.1f}" text-anchor="end" fill="{colour}">{engine}</text>')
    Path(path).write_text("\n".join(out) + "\n</svg>\n")


def main():
    folder = Path(sys.argv[1] if len(sys.argv) > 1 else ROOT / "results/bisection")
    folder.mkdir(parents=True, exist_ok=True)
    effective, packets = [], []
    for hosts, radix in TREES:
        for engine in ENGINES:
            row = counted(hosts, radix, engine, SAMPLES, 1)
            effective.append([hosts, engine, *(round(row[key], 5) for key in ("mean", "low", "high", "least", "most"))])
            for seed in SEEDS:
                count = counted(hosts, radix, engine, 1, seed)["value"]
                packet = in_packets(hosts, radix, engine, seed)
                packets.append([hosts, engine, seed, round(count, 5), round(packet, 5), round(packet / count - 1, 5)])
    write(folder / "effective.csv", ["hosts", "engine", "mean", "low", "high", "least", "most"], effective)
    write(folder / "packets.csv", ["hosts", "engine", "seed", "counted", "in_packets", "difference"], packets)
    picture(folder / "effective.svg", effective)


if __name__ == "__main__":
    main()
