#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what is in the static program, as SPDX 2.3 in JSON.

usage: sbom.py VERSION BUILD-TREE

A Debian package is in it if the linker took something from one of its archives,
as the linker's map says, or if the compiler read one of its headers, as ninja
recorded. A package without a known licence is an error. The same commit makes
the same output: the date is $SOURCE_DATE_EPOCH.
"""

import datetime
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


def linked_archives(linker_map: str) -> set[str]:
    """Returns the archives of the system that have a member in the program."""
    members = linker_map.split("\nDiscarded input sections")[0]
    return {os.path.normpath(path)
            for path in re.findall(r"^(/\S+\.a)\(", members, re.MULTILINE)
            if path.startswith("/usr/")}


def read_headers(tree: pathlib.Path) -> set[str]:
    deps = output_of("ninja", "-C", str(tree), "-t", "deps")
    return {os.path.normpath(path)
            for path in re.findall(r"^    (/usr/\S+)$", deps, re.MULTILINE)}


def packages_of(files: set[str]) -> set[str]:
    owners = output_of("dpkg-query", "--search", *sorted(files))
    return {re.split("[:,]", line)[0] for line in owners.splitlines()
            if not line.startswith("diversion ")}


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


def document(version: str, linked: set[str], included: set[str]) -> dict:
    date = datetime.datetime.fromtimestamp(
        int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    program = package("heapprof", version, "Apache-2.0")
    parts = {
        name: package(name,
                      output_of("dpkg-query", "--show",
                                "--showformat=${Version}", name),
                      LICENCES[name])
        for name in sorted(linked | included)
    }
    return {
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"heapprof-{version}",
        "documentNamespace":
            f"https://spdx.org/spdxdocs/heapprof-{version}-{date:%Y%m%d%H%M%S}",
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
    version, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    linker_map = (tree / "heapprof.map").read_text(errors="replace")
    linked = packages_of(linked_archives(linker_map))
    if "/libisal.a(" in linker_map:  # built from the source package
        linked.add("libisal-dev")
    included = packages_of(read_headers(tree))
    unknown = sorted((linked | included) - LICENCES.keys())
    if unknown:
        sys.exit(f"sbom.py: the licence of {', '.join(unknown)} is not known")
    print(json.dumps(document(version, linked, included), indent=2))


main()
