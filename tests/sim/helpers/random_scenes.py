"""Dense random scenes in the goldens' form, made from a seed: every kind of object and mover that the form allows, at
random in and around a house of two rooms near the corner of four landblocks."""

from __future__ import annotations

import math
import random

from tests.world.loader.scenes import BLOCK, Json, room, slab

HOUSE = (1.0, 1.0, 20.0)
OBJECT_STATES = (0, 0, 8, 4, 0x10, 0x14, 0x40, 0x44, 0x20000, 0x200000)
MOVER_STATES = (0x400C08, 0x400C08, 0x408, 0x8, 0x20408, 0x800408, 0x440, 0x1000408)
NEIGHBOURS = ((0, 0), (0, 0), (0, 0), (-1, 0), (0, -1), (-1, -1))


def unit_quaternion(rng: random.Random) -> list[float]:
    """Usually upright."""
    if rng.random() < 0.6:
        half = rng.uniform(-math.pi, math.pi) / 2.0
        return [math.cos(half), 0.0, 0.0, math.sin(half)]
    numbers = [rng.gauss(0.0, 1.0) for _ in range(4)]
    size = math.sqrt(sum(number * number for number in numbers))
    return [number / size for number in numbers]


class SceneMaker:
    """One scene from one seed."""

    def __init__(self, seed: int) -> None:
        self.rng = random.Random(seed)
        self.ids = [0x70000001 + index for index in range(12)]

    def scene(self, objects: int = 12, moves: int = 12) -> Json:
        rng = self.rng
        x, y, z = HOUSE
        stab = [0x101] if rng.random() < 0.7 else []
        out = {"flags": rng.choice([1, 3]), "poly": 0, "other": 65535, "other_portal": 0}
        between = {"flags": rng.choice([1, 3]), "poly": 1, "other": 0x101, "other_portal": 0}
        back = {"flags": 3, "poly": 0, "other": rng.choice([0x100, 0x100, 0x1FF]), "other_portal": 1}
        return {
            "name": "random",
            "landblock": BLOCK >> 16,
            "terrain": {
                "heights": [10 + rng.choice([0, 0, 0, 1, 3, 17]) for _ in range(81)],
                "types": [rng.choice([0, 0, 0, 16]) for _ in range(81)],
                "height": 10,
            },
            "cells": [
                room(0x100, HOUSE, (True, True), [out, between], stab),
                room(0x101, (x + 6.0, y, z), (True, False), [back], [0x100]),
            ],
            "building": {
                "cell": 1,
                "origin": [x, y, z],
                "quat": [1.0, 0.0, 0.0, 0.0],
                "parts": [slab((12.0, 6.0, 4.0))],
                "portals": [{"flags": 3, "other": 0x100, "other_portal": rng.choice([0, 65535]), "stab": [0x100]}],
            },
            "objects": [self.thing() for _ in range(objects)],
            "moves": [self.move(number) for number in range(moves)],
            "queries": [self.query() for _ in range(40)],
        }

    def where(self) -> Json:
        """A cell and a position: usually one inside the other, otherwise anywhere around the house."""
        rng = self.rng
        if rng.random() < 0.7:
            x = rng.uniform(0.6, 11.4)
            spot = [HOUSE[0] + x, HOUSE[1] + rng.uniform(0.6, 5.4), 20.0 + rng.choice([0.0, 0.0, 0.5, 1.0])]
            return {"cell": 0x100 if x < 6.0 else 0x101, "origin": spot}
        spot = [HOUSE[0] + rng.uniform(-3.0, 13.0), HOUSE[1] + rng.uniform(-3.0, 8.0), 20.0 + rng.uniform(-0.3, 3.0)]
        cell = rng.choice([0x100, 0x101, 0x100, 0x101, 1])
        if cell != 1:
            return {"cell": cell, "origin": spot}
        dx, dy = rng.choice(NEIGHBOURS)
        low = 1 + (7 * 8 if dx else 0) + (7 if dy else 0)
        block = (BLOCK >> 16) + dx * 256 + dy
        return {"block": block, "cell": low, "origin": [spot[0] - dx * 192.0, spot[1] - dy * 192.0, spot[2]]}

    def thing(self) -> Json:
        rng = self.rng
        made: Json = {
            "id": rng.choice(self.ids),
            "static": rng.random() < 0.4,
            "state": rng.choice(OBJECT_STATES),
            "creature": rng.random() < 0.25,
            "quat": unit_quaternion(rng),
            **self.where(),
        }
        if rng.random() < 0.5:
            made["scale"] = rng.choice([0.5, 1.0, 2.0, 3.0])
        kind = rng.randrange(5)
        if kind in (0, 3):
            made["cylspheres"] = [self.cylinder() for _ in range(rng.randint(1, 3))]
        if kind in (1, 3):
            made["spheres"] = [self.sphere() for _ in range(rng.randint(1, 2))]
        if kind == 2:
            made["parts"] = [
                slab((rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.0), rng.uniform(0.1, 2.5)))
                for _ in range(rng.randint(1, 2))
            ]
        if rng.random() < 0.5:
            made["sorting_sphere"] = self.sphere()
        return made

    def sphere(self) -> Json:
        rng = self.rng
        center = [rng.uniform(-0.3, 0.3), rng.uniform(-0.3, 0.3), rng.uniform(0.0, 1.0)]
        return {"c": center, "r": rng.uniform(0.1, 1.0)}

    def cylinder(self) -> Json:
        rng = self.rng
        low = [rng.uniform(-0.4, 0.4), rng.uniform(-0.4, 0.4), rng.uniform(0.0, 0.5)]
        return {"low": low, "r": rng.uniform(0.1, 0.8), "h": rng.choice([0.0, 0.2, 0.35, 1.0, 2.0])}

    def mover(self) -> Json:
        rng = self.rng
        radius = rng.choice([0.1, 0.3, 0.48, 0.48])
        spheres = [{"c": [0.0, 0.0, radius], "r": radius}, {"c": [0.0, 0.0, 1.8 - radius], "r": radius}]
        made: Json = {
            "spheres": spheres[: rng.choice([0, 1, 2, 2, 2])],
            "step_up": rng.choice([0.4, 0.6]),
            "step_down": rng.choice([0.04, 0.4, 1.5]),
            "edge_slide": rng.random() < 0.7,
            "is_player": rng.random() < 0.6,
        }
        if rng.random() < 0.3:
            made["state"] = rng.choice(MOVER_STATES)
        if rng.random() < 0.2:
            made["missile"] = True
        if rng.random() < 0.1:
            made["ethereal"] = True
        if rng.random() < 0.3:
            made["scale"] = rng.choice([0.5, 1.5])
        if rng.random() < 0.3:
            made["id"] = rng.choice([*self.ids, 0x80000001])
        if rng.random() < 0.2:
            made["parts"] = [slab((0.4, 0.4, 1.0))]
        return made

    def move(self, number: int) -> Json:
        rng = self.rng
        grounded = rng.random() < 0.7
        start: Json = {**self.where(), "contact": grounded, "on_walkable": grounded}
        start["origin"][2] = 20.005 if grounded else 20.0 + rng.uniform(0.3, 1.2)
        if grounded:
            start["contact_plane"] = [0.0, 0.0, 1.0, -20.0]
        if rng.random() < 0.4:
            start["quat"] = unit_quaternion(rng)
        made: Json = {"name": f"move_{number}", "mover": self.mover(), "start": start}
        if rng.random() < 0.4:
            start["velocity"] = [rng.uniform(-8.0, 8.0), rng.uniform(-8.0, 8.0), rng.uniform(-12.0, 12.0)]
            made.update(mode="update", n=30, dt=0.033333, ticks=[])
        else:
            length = rng.choice([0.05, 0.15, 0.15, 0.6, 3.0])
            made["ticks"] = [self.ticks(length) for _ in range(rng.randint(1, 6))]
        if rng.random() < 0.4:
            there = [thing for thing in self.ids if rng.random() < 0.2]
            made["actions"] = [
                {"at": rng.randint(0, 10), "object": thing, "ethereal": rng.random() < 0.5} for thing in there
            ]
        return made

    def ticks(self, length: float) -> Json:
        rng = self.rng
        heading = rng.uniform(0.0, 2.0 * math.pi)
        rise = rng.choice([0.0, 0.0, -0.3, 0.2])
        offset = [length * math.cos(heading), length * math.sin(heading), length * rise]
        return {"offset": offset, "repeat": rng.randint(1, 12)}

    def query(self) -> Json:
        rng = self.rng
        x, y, z = HOUSE
        return {
            "op": rng.choice(
                ["point_in_cell", "sphere_in_cell", "sphere_poly", "sphere_solid", "find_walkable", "find_cells"]
            ),
            "cell": rng.choice([0x100, 0x101, 1, 0x155]),
            "c": [x + rng.uniform(-2.0, 13.0), y + rng.uniform(-2.0, 7.0), z + rng.uniform(-1.0, 4.0)],
            "r": rng.uniform(0.0, 0.8),
            "move": [rng.uniform(-0.5, 0.5) for _ in range(3)],
            "center": rng.random() < 0.5,
            "load": rng.random() < 0.5,
        }
