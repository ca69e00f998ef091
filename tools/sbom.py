"""Writes what the packages given out carry inside, as SPDX 2.3.

    tools/sbom.py FILE
    tools/sbom.py --page        names of the node packages that are part of the report page
"""
import datetime
import json
import os
import pathlib
import re
import subprocess
import sys

ROOT = pathlib.Path(__file__).resolve().parents[1]
# Debian's packages whose code is in the programs: name, license.
DEBIAN = {"libeigen3-dev": "MPL-2.0", "libcli11-dev": "BSD-3-Clause", "nlohmann-json3-dev": "MIT", "libopenblas-dev": "BSD-3-Clause",
          "liblapacke-dev": "BSD-3-Clause", "libaec-dev": "BSD-2-Clause", "zlib1g-dev": "Zlib",
          "libc6-dev": "LGPL-2.1-or-later", "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
          "libgfortran-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
          "libgcc-12-dev": "(GPL-3.0-or-later WITH GCC-exception-3.1) AND LGPL-2.1-or-later"}
# Source packages that tools/static_parts.sh compiles, by the folders it leaves.
SOURCES = {"hdf5": "LicenseRef-HDF5", "libzip": "BSD-3-Clause", "tiff": "libtiff"}
# Of zig, start-up code and what stands in for newer functions of glibc; of nanobind, all of it.
WHEELS = {"ziglang": "MIT", "nanobind": "BSD-3-Clause"}


def debian_version(name):
    done = subprocess.run(["dpkg-query", "-W", "-f", "${Version}", name], capture_output=True, text=True)
    return done.stdout if done.returncode == 0 else None


def source_versions():
    for folder in sorted((ROOT / "build" / "parts" / "sources").glob("*-[0-9]*")):
        name, _, version = folder.name.rpartition("-")
        if folder.is_dir() and name in SOURCES:
            yield name, version


def wheel_versions():
    for name in WHEELS:
        pattern = name.replace("-", "_") + "-*.dist-info"
        for folder in sorted((ROOT / "build" / "portable").glob(f"*/lib/python*/site-packages/{pattern}"))[:1]:
            yield name, folder.name.removesuffix(".dist-info").rpartition("-")[2]


def node_packages():
    """Of the report page: what is bundled, not what bundles."""
    packages = json.loads((ROOT / "report" / "package-lock.json").read_text())["packages"]
    wanted, queue = {}, list(json.loads((ROOT / "report" / "package.json").read_text()).get("dependencies", {}))
    while queue:
        name = queue.pop()
        data = packages.get(f"node_modules/{name}")
        if data is None or name in wanted or not (name == "d3" or name.startswith(("d3-", "internmap", "delaunator", "robust-predicates"))):
            continue
        wanted[name] = data
        queue += data.get("dependencies", {})
    return sorted((name, data["version"], data.get("license", "NOASSERTION")) for name, data in wanted.items())


def package(name, version, license, where):
    return {"SPDXID": "SPDXRef-" + re.sub(r"[^A-Za-z0-9.-]", "-", f"{where}-{name}"), "name": name, "versionInfo": version,
            "licenseConcluded": license, "licenseDeclared": license, "downloadLocation": "NOASSERTION", "copyrightText": "NOASSERTION",
            "filesAnalyzed": False, "comment": where}


def document():
    version = re.search(r"project\(disc VERSION ([\d.]+)", (ROOT / "CMakeLists.txt").read_text()).group(1)
    made = datetime.datetime.fromtimestamp(int(os.environ.get("SOURCE_DATE_EPOCH", "0")), datetime.timezone.utc)
    parts = [package(name, found, license, "debian") for name, license in DEBIAN.items() if (found := debian_version(name))]
    parts += [package(name, found, SOURCES[name], "debian-source") for name, found in source_versions()]
    parts += [package(name, found, WHEELS[name], "wheel") for name, found in wheel_versions()]
    parts += [package(name, found, license, "npm") for name, found, license in node_packages()]
    own = package("disc", version, "MIT", "project")
    contains = [{"spdxElementId": own["SPDXID"], "relationshipType": "CONTAINS", "relatedSpdxElement": part["SPDXID"]} for part in parts]
    return {"spdxVersion": "SPDX-2.3", "dataLicense": "CC0-1.0", "SPDXID": "SPDXRef-DOCUMENT", "name": f"disc-{version}",
            "documentNamespace": f"urn:disc:sbom:{version}", "creationInfo": {"created": made.strftime("%Y-%m-%dT%H:%M:%SZ"), "creators": ["Tool: tools/sbom.py"]},
            "packages": [own, *parts],
            "relationships": [{"spdxElementId": "SPDXRef-DOCUMENT", "relationshipType": "DESCRIBES", "relatedSpdxElement": own["SPDXID"]}, *contains],
            "hasExtractedLicensingInfos": [{"licenseId": "LicenseRef-HDF5", "name": "HDF5 software library license (BSD style)",
                                            "extractedText": "See COPYING of HDF5; it is part of the NOTICE file."}]}


if __name__ == "__main__":
    if len(sys.argv) != 2:
        sys.exit(__doc__)
    if sys.argv[1] == "--page":
        print(*(name for name, _, _ in node_packages()), sep="\n")
    else:
        pathlib.Path(sys.argv[1]).write_text(json.dumps(document(), indent=1) + "\n")
