#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what is in the static program, as SPDX 2.3 in JSON.

usage: sbom.py VERSION MACHINE BUILD-TREE [ROOT]

A Debian package is in it if the linker took something from one of its archives,
as the linker's map says, or if the compiler read one of its headers, as ninja
recorded. A package without a known licence is an error. The same commit makes
the same output: the date is $SOURCE_DATE_EPOCH.

MACHINE is x86_64 or aarch64. ROOT is what scripts/arm64_root.sh made. dpkg does
not know what is in it. There, a file belongs to the package which has it
on this machine, and the version is that of the package's changelog.
"""

import datetime
import gzip
import json
import os
import pathlib
import re
import subprocess
import sys

PUBLIC_DOMAIN = "LicenseRef-public-domain"
# The licence of what is linked or included, by package.
LICENCES = {
    "libboost1.74-dev": "BSL-1.0",
    "libbz2-dev": "bzip2-1.0.6",
    "libc6-dev": "LGPL-2.1-or-later",
    "libcli11-dev": "BSD-3-Clause",
    "libdw-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libelf-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libfmt-dev": "MIT",
    "libgcc-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libiberty-dev": "LGPL-2.1-or-later",
    "libisal-dev": "BSD-3-Clause",
    "liblzma-dev": PUBLIC_DOMAIN,
    "libpcre2-dev": "BSD-3-Clause",
    "libprotobuf-dev": "BSD-3-Clause",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libtomlplusplus-dev": "MIT",
    "libzstd-dev": "BSD-3-Clause",
    "linux-libc-dev": "GPL-2.0-only WITH Linux-syscall-note",
    "nlohmann-json3-dev": "MIT",
    "zlib1g-dev": "Zlib",
}


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


class System:
    """The files of this machine, and those below a root of another one."""

    def __init__(self, root: str | None):
        self.root = os.path.realpath(root) if root else None

    def files_of(self, paths: list[str]) -> set[str]:
        """Returns those of `paths` that are the system's."""
        places = ("/usr/", f"{self.root}/usr/")
        return {path for path in map(os.path.normpath, paths)
                if path.startswith(places)}

    def packages_of(self, files: set[str]) -> dict[str, str]:
        """Returns the packages of `files`, with their versions."""
        inside = {path for path in files if path.startswith(f"{self.root}/")}
        here = {path.removeprefix(self.root)
                .replace("aarch64-linux-gnu", "x86_64-linux-gnu")
                for path in inside}
        return {name: installed_version(name)
                for name in owners_of(files - inside)} | {
                    name: self.version_in_root(name)
                    for name in owners_of(here)}

    def version_in_root(self, name: str) -> str:
        notes = pathlib.Path(self.root, "usr/share/doc", name)
        with gzip.open(notes / "changelog.Debian.gz", "rt") as changelog:
            # "elfutils (0.188-2.1) unstable; urgency=medium"
            return re.search(r"\((\S+)\)", changelog.readline())[1]


def installed_version(name: str) -> str:
    return output_of("dpkg-query", "--show", "--showformat=${Version}", name)


def owners_of(files: set[str]) -> set[str]:
    if not files:
        return set()
    owners = output_of("dpkg-query", "--search", *sorted(files))
    return {re.split("[:,]", line)[0] for line in owners.splitlines()
            if not line.startswith("diversion ")}


def linked_archives(linker_map: str) -> list[str]:
    """Returns the archives that have a member in the program."""
    members = linker_map.split("\nDiscarded input sections")[0]
    return re.findall(r"^(/\S+\.a)\(", members, re.MULTILINE)


def read_headers(tree: pathlib.Path) -> list[str]:
    deps = output_of("ninja", "-C", str(tree), "-t", "deps")
    paths = re.findall(r"^    (\S+)$", deps, re.MULTILINE)
    return [os.path.join(os.path.realpath(tree), path) for path in paths]


def licence_of(name: str) -> str | None:
    return LICENCES.get(name.removesuffix("-arm64-cross"))


def package(name: str, version: str, licence: str) -> dict:
    return {
        "SPDXID": f"SPDXRef-{name.replace('+', '-')}",
        "name": name,
        "versionInfo": version,
        "downloadLocation": "NOASSERTION",
        "filesAnalyzed": False,
        "licenseConcluded": licence,
        "licenseDeclared": licence,
        "copyrightText": "NOASSERTION",
    }


def relationship(one: str, kind: str, other: str) -> dict:
    return {"spdxElementId": one, "relationshipType": kind,
            "relatedSpdxElement": other}


def document(version: str, machine: str, linked: dict[str, str],
             included: dict[str, str]) -> dict:
    date = datetime.datetime.fromtimestamp(
        int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    program = package("heapprof", version, "Apache-2.0")
    parts = {
        name: package(name, found, licence_of(name))
        for name, found in sorted((linked | included).items())
    }
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"heapprof-{version}-{machine}",
        "documentNamespace":
            f"https://spdx.org/spdxdocs/heapprof-{version}-{machine}"
            f"-{date:%Y%m%d%H%M%S}",
        "creationInfo": {
            "created": f"{date:%Y-%m-%dT%H:%M:%SZ}",
            "creators": ["Tool: sbom.py"],
        },
        "packages": [program, *parts.values()],
        "hasExtractedLicensingInfos": [{
            "licenseId": PUBLIC_DOMAIN,
            "extractedText": "This file has been put into the public domain.",
        }],
        "relationships": [
            relationship("SPDXRef-DOCUMENT", "DESCRIBES", program["SPDXID"]),
            *(relationship(program["SPDXID"],
                           "STATIC_LINK" if name in linked else "CONTAINS",
                           part["SPDXID"])
              for name, part in parts.items()),
        ],
    }


def main():
    version, machine, tree = *sys.argv[1:3], pathlib.Path(sys.argv[3])
    linker_map = (tree / "heapprof.map").read_text(errors="replace")
    system = System(sys.argv[4] if len(sys.argv) > 4 else None)
    linked = system.packages_of(system.files_of(linked_archives(linker_map)))
    included = system.packages_of(system.files_of(read_headers(tree)))
    if "/libisal.a(" in linker_map:  # built from the source package
        linked["libisal-dev"] = included["libisal-dev"]
    unknown = sorted(name for name in linked | included
                     if licence_of(name) is None)
    if unknown:
        sys.exit(f"sbom.py: the licence of {', '.join(unknown)} is not known")
    print(json.dumps(document(version, machine, linked, included), indent=2))


main()
