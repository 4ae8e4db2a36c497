"""What one URL, page or request costs: lines through the measurements of tests/scale/measured.json.

A job's cost is a line over the size of the crawl: what a run costs whatever its size, and what each million rows adds.
"""

from dataclasses import dataclass
from typing import Any

Record = dict[str, Any]
SMALL = 1e-3  # what is measured is noted in thousandths at best


@dataclass(frozen=True)
class Line:
    base: float  # at size 0
    slope: float  # per row
    points: tuple[tuple[int, float], ...]

    def at(self, rows: float) -> float:
        return self.base + self.slope * rows

    @property
    def worst(self) -> float:
        """How far a measured point lies from the line, as a share of the point."""
        return max(abs(self.at(rows) - value) / max(value, SMALL) for rows, value in self.points)


def line_of(points: list[tuple[int, float]]) -> Line:
    """The line that is nearest, by shares: a point counts by how far off it is, not by how large.

    It is not below zero at size 0.
    """
    if len(points) == 1:
        ((rows, value),) = points
        return Line(0, value / rows, tuple(points))
    weighted = [(max(value, SMALL) ** -2, rows, value) for rows, value in points]
    total = sum(weight for weight, _, _ in weighted)
    mean_x = sum(weight * x for weight, x, _ in weighted) / total
    mean_y = sum(weight * y for weight, _, y in weighted) / total
    spread = sum(weight * (x - mean_x) ** 2 for weight, x, _ in weighted)
    slope = sum(weight * (x - mean_x) * (y - mean_y) for weight, x, y in weighted) / spread
    base = mean_y - slope * mean_x
    if base < 0:
        slope = sum(weight * x * y for weight, x, y in weighted) / sum(weight * x * x for weight, x, _ in weighted)
        base = 0
    return Line(base, slope, tuple(points))


class Measured:
    def __init__(self, notes: dict[str, list[Record]]):
        self.notes = notes
        self.sizes = sorted(int(name.split()[1]) for name in notes if name.startswith("measure "))

    def jobs(self) -> list[str]:
        names: dict[str, None] = {}
        for size in self.sizes:
            names.update({record["job"]: None for record in self.notes[f"measure {size}"] if "cpu_seconds" in record})
        return list(names)

    def points(self, job: str, what: str = "cpu_seconds") -> list[tuple[int, float]]:
        """The measurements of a job, by the rows that it went through."""
        return [
            (record["rows"], record[what])
            for size in self.sizes
            for record in self.notes[f"measure {size}"]
            if record["job"] == job and what in record
        ]

    def line(self, job: str, what: str = "cpu_seconds") -> Line:
        return line_of(self.points(job, what))

    def of(self, job: str) -> str:
        """What its rows are."""
        return next(
            str(record["of"])
            for size in self.sizes
            for record in self.notes[f"measure {size}"]
            if record["job"] == job and "of" in record
        )

    def table(self, name: str, after: str = "compact") -> dict[str, float]:
        """Rows per URL and bytes per row of a table, at the largest size that has it in one run of rows."""
        for size in reversed(self.sizes):
            for record in self.notes[f"measure {size}"]:
                tables = record.get("tables", {})
                if record.get("after") == after and name in tables:
                    urls = self._urls_after_compact(size)
                    return {
                        "rows_per_url": tables[name]["rows"] / urls,
                        "bytes_per_row": tables[name]["bytes"] / tables[name]["rows"],
                    }
        raise KeyError(name)

    def _urls_after_compact(self, size: int) -> int:
        return next(
            int(record["tables"]["urls"]["rows"])
            for record in self.notes[f"measure {size}"]
            if record.get("after") == "compact"
        )

    def page(self, job: str, what: str = "cpu_seconds", of: str = "pages") -> float:
        """What a job took of each page of the web on this machine."""
        record = next(record for record in self.notes[of] if record["job"] == job)
        return float(record[what]) / float(record["pages"])

    def dataset(self, name: str, of: str = "pages") -> float:
        """Bytes per page of a dataset of a segment."""
        record = next(record for record in self.notes[of] if record["job"] == "segment")
        return float(record["bytes_by_dataset"].get(name, 0)) / float(record["pages"])
