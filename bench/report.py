"""From measurements to verdicts and tables."""
import os
import platform

SIGMA_TOLERANCE = {"disc, double": 1e-6, "disc, single": 1e-3, "straightforward": 1e-6}
GIB = 2.0 ** 30


def judge_speed(case, results):
    for (baseline, precision), bar in case.bars.items():
        ratio = results[baseline]["seconds"] / results[f"disc, {precision}"]["seconds"]
        yield {"case": case.name, "what": "whole method", "against": baseline, "precision": precision, "value": ratio,
               "bar": bar, "passed": ratio >= bar, "extrapolated": results[baseline].get("extrapolated", False)}


def judge_stages(case, results):
    for stage, bar in case.stage_bars.items():
        for precision in ("double", "single"):
            mine = results[f"disc, {precision}"]["stages"].get(stage)
            ratio = results["careful"]["stages"][stage] / mine if mine else 0.0
            yield {"case": case.name, "what": f"stage: {stage}", "against": "careful", "precision": precision,
                   "value": ratio, "bar": bar, "passed": ratio >= bar}


def judge_sigma(case, results):
    for name, tolerance in SIGMA_TOLERANCE.items():
        difference = results.get(name, {}).get("sigma_difference")
        if difference is not None:
            yield {"case": case.name, "what": "sigma differs by", "against": "careful", "precision": name, "value": difference,
                   "bar": tolerance, "passed": difference <= tolerance}


def judge_memory(case, results):
    if not case.memory_copies:
        return
    limit = 2 * case.memory_copies * 8 * case.features ** 2 / GIB  # two conditions in flight
    for precision in ("double", "single"):
        peak = results[f"disc, {precision}"]["peak_memory_bytes"] / GIB
        yield {"case": case.name, "what": "peak memory, GiB", "against": f"{case.memory_copies} copies per condition",
               "precision": precision, "value": peak, "bar": limit, "passed": peak <= limit}


def judge(measured):
    table = []
    for entry in measured:
        if "results" in entry:
            for judge_one in (judge_speed, judge_stages, judge_sigma, judge_memory):
                table.extend(judge_one(entry["case"], entry["results"]))
    return table


def machine():
    model = platform.processor() or platform.machine()
    try:
        with open("/proc/cpuinfo", encoding="utf-8") as lines:
            model = next((line.split(":", 1)[1].strip() for line in lines if line.startswith("model name")), model)
    except OSError:
        pass
    return {"processor": model, "cores": os.cpu_count(), "system": f"{platform.system()} {platform.release()}",
            "load": os.getloadavg()[0]}


def as_json(measured, table, options):
    shown = []
    for entry in measured:
        case = entry["case"]
        row = {"case": case.name, "title": case.title, "settings": case.settings()}
        row.update({"skipped": entry["skipped"]} if "skipped" in entry else {"results": entry["results"]})
        shown.append(row)
    return {"machine": machine(), "threads": options.threads, "repeat": options.repeat, "cases": shown, "verdicts": table}


def seconds(value):
    return "-" if value is None else f"{value:.3f}" if value < 10 else f"{value:.1f}"


def case_lines(entry):
    case = entry["case"]
    yield f"\n## {case.title}\n"
    if "skipped" in entry:
        yield f"Skipped: `{case.name}`: {entry['skipped']}."
        return
    results = entry["results"]
    stages = list(dict.fromkeys(stage for result in results.values() for stage in result["stages"]))
    yield "| program | best s | median s | wall s | " + " | ".join(stages) + " | peak GiB | sigma differs |"
    yield "|---" * (6 + len(stages)) + "|"
    for name, result in results.items():
        peak = result["peak_memory_bytes"]
        difference = result.get("sigma_difference")
        cells = [name + (" (extrapolated)" if result.get("extrapolated") else ""), seconds(result["seconds"]),
                 seconds(result["median"]), seconds(result["wall"])]
        cells += [seconds(result["stages"].get(stage)) for stage in stages]
        cells += ["-" if peak is None else f"{peak / GIB:.2f}", "-" if difference is None else f"{difference:.0e}"]
        yield "| " + " | ".join(cells) + " |"


def verdict_line(row):
    if row["what"].startswith("sigma"):
        value, bar = f"{row['value']:.1e}", f"at most {row['bar']:.0e}"
    elif row["what"].startswith("peak"):
        value, bar = f"{row['value']:.2f}", f"at most {row['bar']:.2f}"
    else:
        value, bar = f"{row['value']:.2f}x", f"{row['bar']}x"
    against = row["against"] + (" (extrapolated)" if row.get("extrapolated") else "")
    return (f"| {row['case']} | {row['what']} | {against} | {row['precision']} | {value} | {bar} | "
            f"{'pass' if row['passed'] else '**fail**'} |")


def as_markdown(measured, table, options):
    here = machine()
    passed = sum(row["passed"] for row in table)
    lines = ["# Benchmark", "",
             f"{here['processor']}, {here['cores']} cores, {options.threads} threads for every program, best of {options.repeat} "
             f"(programs take turns), load {here['load']:.1f} at the end.", "",
             "Seconds of the method: without reading and writing files, importing libraries, and grouping (which only disc does). "
             "Wall: the whole program. graph = distances + kernel.",
             "", f"{passed} of {len(table)} bars are met.", "",
             "| case | what | against | disc in | value | bar | |", "|---|---|---|---|---|---|---|"]
    lines += [verdict_line(row) for row in table]
    for entry in measured:
        lines += case_lines(entry)
    return "\n".join(lines) + "\n"
