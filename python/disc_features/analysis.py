"""The result of a run: exactly what the program writes into its folder, in Python's hands."""
import io
import json
import os
from dataclasses import dataclass
from html import escape
from typing import TYPE_CHECKING, Any, Dict, List, Optional

import numpy as np

from . import _core
from .errors import InputError

if TYPE_CHECKING:
    from ._sets import SetTests

FILES = ("summary.json", "groups.tsv", "features.tsv", "vectors.npz")
MORE_FILES = ("pairs.tsv", "enrichment.tsv", "samples.tsv", "units.tsv", "figure_data.npz")  # of some runs
REPORT = "report.html"
TEXT = ("condition", "group", "parent", "feature", "feature_a", "feature_b", "reason", "set", "description", "members", "unit", "unit_condition")  # columns of names, whatever they look like
NUMERIC = ("weight", "stability", "z", "z_low_rank", "q", "p", "score", "variance", "mean_correlation")  # columns whose cells may be empty


@dataclass(frozen=True, repr=False)
class Group:
    """Features that are connected in one condition and not in the others."""

    condition: str
    id: str  # "1", and "1.1" for its first part
    features: List[str]  # the most typical first
    weights: np.ndarray  # how typical each feature is of the group
    signs: np.ndarray  # 1 or -1: features of one sign go together, those of different signs against each other
    evidence: Dict[str, Any]  # as in summary.json, see docs/outputs.md

    @property
    def p(self) -> float:
        """p-value, corrected for everything that was looked at; NaN without permutations."""
        return number(self.evidence.get("p"))

    @property
    def q(self) -> float:
        return number(self.evidence.get("q"))

    @property
    def parent(self) -> Optional[str]:
        """The group that this one is a part of."""
        return self.evidence.get("parent")

    @property
    def stability(self) -> float:
        return number(self.evidence.get("stability"))

    @property
    def statistic(self) -> float:
        return number(self.evidence.get("statistic"))

    def __len__(self) -> int:
        return len(self.features)

    def __repr__(self) -> str:
        shown_first = ", ".join(self.evidence.get("top_features", self.features)[:5]) + (", ..." if len(self) > 5 else "")
        return f"<group {self.id} of {self.condition}: {len(self)} features{evidence_text(self)}: {shown_first}>"


class Analysis:
    """Groups, vectors and evidence of a run. Conditions are asked for by name: ``analysis.groups["treated"]``."""

    def __init__(self, files: Dict[str, bytes]):
        self._files = files
        #: Everything that is known about the run, see docs/outputs.md.
        self.summary: Dict[str, Any] = json.loads(files["summary.json"])
        with np.load(io.BytesIO(files["vectors.npz"])) as archive:
            self._arrays = {name: archive[name] for name in archive.files}

    # Pickled as the files that it is made of.
    def __reduce__(self):
        return Analysis, (self._files,)

    @classmethod
    def load(cls, folder: Any) -> "Analysis":
        """Reads what ``disc run`` or ``save`` wrote."""
        files = {}
        for name in FILES + MORE_FILES:
            path = os.path.join(os.fspath(folder), name)
            try:
                with open(path, "rb") as file:
                    files[name] = file.read()
            except OSError as error:
                if name in FILES:
                    raise InputError(f"{path}: cannot be read: {error.strerror}", file=path) from error
        return cls(files)

    def save(self, folder: Any) -> None:
        """Writes the files of ``disc run -o``, summary.json, groups.tsv, report.html and so on: all of them, or none."""
        page = {REPORT: _core.report_html(self._files)} if _core.has_report_page() else {}
        _core.write_files(os.fspath(folder), {**self._files, **page})

    def report(self, path: Any = None) -> str:
        """The report, one html page that needs nothing else; written to ``path`` if that is given."""
        page = _core.report_html(self._files)
        if path is not None:
            with open(path, "wb") as file:
                file.write(page)
        return page.decode()

    @property
    def conditions(self) -> List[str]:
        return [condition["name"] for condition in self.summary["conditions"]]

    @property
    def features(self) -> np.ndarray:
        """Names of the features that took part."""
        return self._arrays["features"]

    @property
    def excluded(self) -> Dict[str, str]:
        """Features that took no part, and why."""
        return {row["feature"]: row["reason"] for row in self.summary["features"]["excluded"]}

    @property
    def warnings(self) -> List[str]:
        return self.summary["warnings"]

    @property
    def vectors(self) -> Dict[str, np.ndarray]:
        """Differential vectors, features x vectors."""
        return self._by_condition("V_")

    @property
    def eigenvectors(self) -> Dict[str, np.ndarray]:
        """Right eigenvectors of each walk that count as explained for the others."""
        return self._by_condition("U_")

    @property
    def sigma(self) -> Dict[str, np.ndarray]:
        """Singular value of each differential vector."""
        return self._by_condition("sigma_")

    @property
    def eigenvalues(self) -> Dict[str, np.ndarray]:
        return {c["name"]: numbers(c["eigenvalues"]) for c in self.summary["conditions"]}

    @property
    def groups(self) -> Dict[str, List[Group]]:
        """The answer."""
        members: Dict[Any, List[List[str]]] = {}
        for row in self._table("groups.tsv"):
            members.setdefault((row["condition"], row["group"]), []).append([row["feature"], row["weight"], row.get("sign", "")])
        found: Dict[str, List[Group]] = {}
        for condition in self.summary["conditions"]:
            name = condition["name"]
            found[name] = []
            for evidence in condition["groups"]:
                rows = members[in_a_cell(name), evidence["id"]]
                found[name].append(Group(name, evidence["id"], [feature for feature, _, _ in rows],
                                         np.array([float(weight) for _, weight, _ in rows]),
                                         np.array([-1.0 if sign == "-" else 1.0 for _, _, sign in rows]), evidence))
        return found

    @property
    def energy(self) -> Dict[str, np.ndarray]:
        """How much of each feature the leading vectors explain."""
        rows = self._table("features.tsv")
        return {name: np.array([float(row["energy_" + in_a_cell(name)]) for row in rows if row["used"] == "yes"])
                for name in self.conditions}

    def to_frame(self, table: str = "groups") -> Any:
        """A pandas data frame: ``evidence`` (one row per group), or a table that the run wrote: ``groups`` (one row per member),
        ``features`` (every feature), ``pairs`` (single pairs that changed), ``units`` (how every unit shows every group), ``enrichment`` (where sets were given)."""
        import pandas

        tables = [name[:-len(".tsv")] for name in self._files if name.endswith(".tsv")]
        if table in tables:
            text = io.BytesIO(self._files[table + ".tsv"])
            header = text.readline().decode(errors="replace").rstrip("\n").split("\t")
            numeric = [name for name in header if name in NUMERIC or name.startswith("energy_")]
            return pandas.read_csv(text, sep="\t", quoting=3, names=header, dtype={name: str for name in header if name in TEXT},
                                   keep_default_na=False, na_values={name: [""] for name in numeric})
        if table != "evidence":
            raise ValueError(f"there is no table '{table}'; there are evidence, {', '.join(tables)}")
        scalars = ("size", "p", "q", "score", "statistic", "stability", "mean_energy", "mean_change",
                   "variance_change")
        return pandas.DataFrame([{"condition": group.condition, "group": group.id,
                                  **{name: number(group.evidence.get(name)) for name in scalars},
                                  "top_features": ", ".join(group.evidence["top_features"])}
                                 for groups in self.groups.values() for group in groups],
                                columns=["condition", "group", *scalars, "top_features"])

    def test(self, sets: Any, conditions: Any = None, *, permutations: int = 999, min_members: int = 3, without: Any = (),
             progress: Any = None, **options: Any) -> "SetTests":
        """Tests given sets of features in the data of this run, with its settings, see ``disc.test``.

        Parameters
        ----------
        sets
            A dictionary from names to lists of features, one list, or the path of a ``.gmt`` file.
        conditions
            The data, as for ``disc.run``; not needed where the run read them from files.
        permutations, min_members, without, progress
            As for ``disc.test``.
        options
            In place of those of the run.
        """
        from ._sets import test_collected

        return test_collected(self._collect(conditions, options), sets, permutations, min_members, without,
                              self.summary["seed"], 0, progress)

    def replicate(self, conditions: Any, *, permutations: int = 999, min_members: int = 3, progress: Any = None,
                  **options: Any) -> "SetTests":
        """Do the groups hold in a second study? One row per group, with a one-sided p in the direction that the group had.

        Parameters
        ----------
        conditions
            The second study, as for ``disc.run``. Conditions are matched by name, or if none is the same by their order.
        permutations, min_members, progress
            As for ``disc.test``.
        options
            As for ``disc.run``, such as ``by`` and ``unit``; those of this run unless given.
        """
        from ._sets import replicate

        if conditions is None:
            raise InputError("the data of the second study are needed")
        return replicate(self, self._collect(conditions, options), permutations, min_members, self.summary["seed"], 0, progress)

    def project(self, data: Any, *, layer: Optional[str] = None) -> Any:
        """How strongly new samples show the groups: a data frame of samples x groups, the mean of the standardized members.

        Members are standardized over all new samples, so that scores compare these with each other. Members that are missing are left
        out; the attribute ``attrs["missing"]`` of the frame names them.

        Parameters
        ----------
        data
            The new samples: a data frame, AnnData, or a file; without names, features are at the positions that they had.
        layer
            Layer of AnnData.
        """
        import pandas

        from ._sets import project

        scores, groups, missing, samples = project(self, data, layer)
        names = [f"{condition} {number}" for condition, number in groups]
        frame = pandas.DataFrame(scores, index=samples, columns=names)
        frame.attrs["missing"] = dict(zip(names, missing))
        if groups and np.isnan(scores).all():
            raise InputError(f"no member of any group is among the features; they are such as '{missing[0][0]}'")
        return frame

    def _collect(self, conditions: Any, options: Dict[str, Any]) -> Any:
        """Data with the settings of this run, where ``options`` do not say otherwise."""
        from ._run import collect
        from ._sets import FOR_SETS, READING

        if conditions is None:
            conditions = self._inputs()
        given = {name.replace("-", "_"): value for name, value in self.summary["settings"]["given"].items()}
        known = {name: value for name, value in given.items() if name in FOR_SETS or name in READING or name in ("names", "layer")}
        known = {**known, **options}
        by = known.pop("by", None) or known.pop("groupby", None)
        names = known.pop("names", None)
        labels = {name: known.pop(name, None) for name in ("unit", "strata", "paired", "covariate", "within")}
        return collect(conditions, by, known.pop("where", None), known.pop("layer", None),
                       names.split(",") if isinstance(names, str) else names, known.pop("features", None), labels,
                       known.pop("metadata", None), known)

    def _inputs(self) -> Any:
        """The files that the run read: one with ``by``, else one per condition."""
        given, files = self.summary["settings"]["given"], [entry["file"] for entry in self.summary["inputs"]]
        if given.get("by") and len(files) == 1:
            return files[0]
        if len(files) != len(self.conditions) or given.get("condition") or given.get("manifest"):
            raise InputError("the run did not read its data from one file per condition, so they must be given again")
        names = _core.name_conditions(files, [])
        if given.get("contrast") and set(names) != set(self.conditions):
            raise InputError("which file is which condition is not known, so the data must be given again")
        return dict(zip(names if set(names) == set(self.conditions) else self.conditions, files))

    def meta_features(self, data: Any, condition: str, by: str = "vectors") -> np.ndarray:
        """One number per sample and vector (method (9)), or per sample and group: the sum of the group's features, with their
        signs, over the square root of their number. ``data`` holds the features by name (a data frame, AnnData, or a file) or, without
        names, at the positions that they had. Counts are brought to one depth and into logarithms first where the run did so."""
        from ._inputs import as_dataset

        dataset = as_dataset(data, condition, None, {})
        in_logarithms = self.summary["settings"]["used"].get("normalize") == "log-cpm"
        return _core.project(dataset, self.columns_in(dataset.features), self.weights(condition, by), in_logarithms)

    def columns_in(self, names: List[str]) -> List[int]:
        """Where the features that took part are among these names."""
        position = {name: i for i, name in enumerate(names)}
        missing = [name for name in self.features if name not in position]
        if missing:
            raise InputError(f"feature '{missing[0]}' is not in the data" + (f", and {len(missing) - 1} more" if missing[1:] else ""))
        return [position[name] for name in self.features]

    def weights(self, condition: str, by: str = "vectors") -> np.ndarray:
        """What a sample is multiplied with to give its meta-features: features x vectors, or features x groups."""
        if condition not in self.conditions:
            raise InputError(f"there is no condition '{condition}'; there are {', '.join(self.conditions)}")
        if by == "vectors":
            return self.vectors[condition]
        if by != "groups":
            raise ValueError(f"meta-features are made by vectors or by groups, not by '{by}'")
        position = {in_a_cell(name): i for i, name in enumerate(self.features)}
        groups = self.groups[condition]
        weights = np.zeros((len(self.features), len(groups)))
        for column, group in enumerate(groups):
            weights[[position[name] for name in group.features], column] = group.signs * len(group) ** -0.5
        return weights

    def _by_condition(self, prefix: str) -> Dict[str, np.ndarray]:
        return {c["name"]: self._arrays[prefix + c["key"]] for c in self.summary["conditions"]}

    def _table(self, name: str) -> List[Dict[str, str]]:
        header, *lines = self._files[name].decode(errors="replace").split("\n")
        return [dict(zip(header.split("\t"), line.split("\t"))) for line in lines if line]

    def __repr__(self) -> str:
        lines = [f"DiSC of {len(self.features)} features"]
        for name, groups in self.groups.items():
            lines.append(f"  {name}: {len(groups)} group{'' if len(groups) == 1 else 's'} connected here and not elsewhere")
            lines += [f"    group {group.id}: {len(group)} features{evidence_text(group)}" for group in groups]
        return "\n".join(lines + [f"  warning: {warning}" for warning in self.warnings])

    def _repr_html_(self) -> str:
        rows = "".join(
            f"<tr><td>{escape(group.condition)}</td><td>{group.id}</td><td>{len(group)}</td><td>{shown(group.p)}</td>"
            f"<td>{shown(group.q)}</td><td>{shown(group.stability)}</td>"
            f"<td>{escape(', '.join(group.evidence['top_features'][:8]))}</td></tr>"
            for groups in self.groups.values() for group in groups)
        table = ("<p>no group is connected in one condition only</p>" if not rows else
                 "<table><thead><tr><th>condition</th><th>group</th><th>features</th><th>p</th><th>q</th><th>stability</th>"
                 f"<th>such as</th></tr></thead><tbody>{rows}</tbody></table>")
        notes = "".join(f"<li>{escape(warning)}</li>" for warning in self.warnings)
        return (f"<div><b>DiSC</b>: {len(self.features)} features, conditions {escape(', '.join(self.conditions))}{table}"
                f"{'<ul>' + notes + '</ul>' if notes else ''}</div>")


def in_a_cell(name: str) -> str:
    """A name as tables show it: tabs and line ends become spaces."""
    return name.translate({ord(letter): " " for letter in "\t\r\n"})


def number(value: Optional[float]) -> float:
    return float("nan") if value is None else float(value)


def numbers(values: List[Optional[float]]) -> np.ndarray:
    return np.array([number(value) for value in values])


def shown(value: float) -> str:
    return "" if np.isnan(value) else f"{value:.3g}"


def evidence_text(group: Group) -> str:
    facts = [f"{name} {shown(value)}" for name, value in (("p", group.p), ("stability", group.stability)) if not np.isnan(value)]
    return f" ({', '.join(facts)})" if facts else ""
