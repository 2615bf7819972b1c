#!/usr/bin/env python3
"""Draws FOLDER/latency_parts.csv, as `weft run --out FOLDER` writes it, as FOLDER/latency_parts.svg.

One column a message size: the parts of the typical message's latency, stacked to 100 %, the latency itself above.
Needs nothing but Python 3.
"""
import csv
import os
import sys

COLOURS = {"host": "#4e79a7", "pcie": "#59a14f", "serialisation": "#f28e2b", "propagation": "#9c755f", "pipeline": "#b07aa1",
           "arbitration": "#e15759", "credit": "#edc948", "congestion_control": "#76b7b2", "retry": "#ff9da7"}
WIDTH, HEIGHT, LEFT, TOP, PLOT, COLUMN = 760, 380, 56, 64, 250, 68


def size_text(size):
    for unit, scale in (("MiB", 1 << 20), ("KiB", 1 << 10)):
        if size >= scale and size % scale == 0:
            return f"{size // scale} {unit}"
    return f"{size} B"


def time_text(ns):
    return f"{ns / 1000:.2f} us" if ns < 10_000 else f"{ns / 1000:.1f} us"


def text(x, y, words, size=12, anchor="middle", colour="#333333"):
    return f'<text x="{x}" y="{y}" font-size="{size}" text-anchor="{anchor}" fill="{colour}">{words}</text>'


def draw(rows):
    parts = [p for p in COLOURS if any(float(row[f"{p} [ns]"]) > 0 for row in rows)]
    out = [f'<svg xmlns="http://www.w3.org/2000/svg" width="{WIDTH}" height="{HEIGHT}" font-family="sans-serif">',
           f'<rect width="{WIDTH}" height="{HEIGHT}" fill="#ffffff"/>',
           text(LEFT, 24, "Where a message's time goes, by its size", 16, "start"),
           text(LEFT, 44, "one-way latency above each column, its parts below", 12, "start", "#666666")]
    for percent in (0, 25, 50, 75, 100):
        y = TOP + PLOT + 12 - PLOT * percent / 100
        out.append(f'<line x1="{LEFT}" y1="{y}" x2="{LEFT + COLUMN * len(rows)}" y2="{y}" stroke="#dddddd"/>')
        out.append(text(LEFT - 6, y + 4, f"{percent} %", 11, "end", "#666666"))
    for column, row in enumerate(rows):
        x, y, total = LEFT + COLUMN * column + 8, TOP + PLOT + 12.0, float(row["t_typical [ns]"])
        for part in parts:
            height = PLOT * float(row[f"{part} [ns]"]) / total
            y -= height
            out.append(f'<rect x="{x}" y="{y:.2f}" width="{COLUMN - 16}" height="{height:.2f}" fill="{COLOURS[part]}"/>')
        middle = x + COLUMN / 2 - 8
        out.append(text(middle, TOP + 6, time_text(total), 11))
        out.append(text(middle, TOP + PLOT + 30, size_text(int(row["bytes"]))))
    for place, part in enumerate(parts):
        x = LEFT + 112 * place
        out.append(f'<rect x="{x}" y="{HEIGHT - 26}" width="12" height="12" fill="{COLOURS[part]}"/>')
        out.append(text(x + 17, HEIGHT - 16, part.replace("_", " "), 12, "start"))
    return "\n".join(out + ["</svg>", ""])


def main():
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    with open(os.path.join(sys.argv[1], "latency_parts.csv"), newline="") as file:
        rows = list(csv.DictReader(file))
    with open(os.path.join(sys.argv[1], "latency_parts.svg"), "w") as file:
        file.write(draw(rows))


main()
