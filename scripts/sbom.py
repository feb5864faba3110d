#!/usr/bin/env python3
# SPDX-License-Identifier: Apache-2.0
"""Prints what is in the static program, as SPDX 2.3 in JSON.

usage: sbom.py VERSION BUILD-TREE

The libraries are those that the linker was given, each with the version of its
Debian package. A library without a known licence is an error. The output says
the same for the same commit: its date is $SOURCE_DATE_EPOCH.
"""

import datetime
import json
import os
import pathlib
import subprocess
import sys

# The licence of the parts that are linked, by Debian package.
LICENCES = {
    "libbz2-dev": "bzip2-1.0.6",
    "libc6-dev": "LGPL-2.1-or-later",
    "libdw-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libelf-dev": "LGPL-3.0-or-later OR GPL-2.0-or-later",
    "libiberty-dev": "LGPL-2.1-or-later AND GPL-2.0-or-later WITH GCC-exception-2.0",
    "libisal-dev": "BSD-3-Clause",
    "liblzma-dev": "0BSD",
    "libpcre2-dev": "BSD-3-Clause",
    "libprotobuf-dev": "BSD-3-Clause",
    "libstdc++-12-dev": "GPL-3.0-or-later WITH GCC-exception-3.1",
    "libzstd-dev": "BSD-3-Clause",
    "zlib1g-dev": "Zlib",
    # Only headers.
    "libboost1.74-dev": "BSL-1.0",
    "libcli11-dev": "BSD-3-Clause",
    "libfmt-dev": "MIT",
    "libtomlplusplus-dev": "MIT",
    "nlohmann-json3-dev": "MIT",
}
HEADERS = ["libboost1.74-dev", "libcli11-dev", "libfmt-dev",
           "libtomlplusplus-dev", "nlohmann-json3-dev"]
# What the compiler adds to the command.
IMPLIED = ["libc6-dev", "libstdc++-12-dev"]


def output_of(*command: str) -> str:
    return subprocess.run(command, check=True, capture_output=True,
                          text=True).stdout


def linked_packages(tree: pathlib.Path) -> set[str]:
    """Returns the packages of the libraries in the linker's command."""
    link = output_of("ninja", "-C", str(tree), "-t", "commands",
                     "heapprof").splitlines()[-1]
    packages = set()
    for word in link.split():
        path = pathlib.Path(word)
        if path.name == "libisal.a":  # built from the source package
            packages.add("libisal-dev")
        elif word.endswith(".a") and path.is_absolute():
            owner = output_of("dpkg-query", "--search", word)
            packages.add(owner.split(":")[0])
    return packages


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


def main():
    version, tree = sys.argv[1], pathlib.Path(sys.argv[2])
    date = datetime.datetime.fromtimestamp(
        int(os.environ["SOURCE_DATE_EPOCH"]), datetime.timezone.utc)
    names = sorted(linked_packages(tree) | set(HEADERS) | set(IMPLIED))
    unknown = [name for name in names if name not in LICENCES]
    if unknown:
        sys.exit(f"sbom.py: no licence known for {', '.join(unknown)}")
    program = package("heapprof", version, "Apache-2.0")
    parts = [
        package(name, output_of("dpkg-query", "--show",
                                "--showformat=${Version}", name),
                LICENCES[name])
        for name in names
    ]
    print(json.dumps({
        "spdxVersion": "SPDX-2.3",
        "dataLicense": "CC0-1.0",
        "SPDXID": "SPDXRef-DOCUMENT",
        "name": f"heapprof-{version}",
        "documentNamespace":
            f"https://spdx.org/spdxdocs/heapprof-{version}-{date:%Y%m%d%H%M%S}",
        "creationInfo": {
            "created": f"{date:%Y-%m-%dT%H:%M:%SZ}",
            "creators": ["Tool: heapprof-sbom.py"],
        },
        "packages": [program, *parts],
        "relationships": [
            {"spdxElementId": "SPDXRef-DOCUMENT",
             "relationshipType": "DESCRIBES",
             "relatedSpdxElement": program["SPDXID"]},
            *({"spdxElementId": program["SPDXID"],
               "relationshipType": "STATIC_LINK",
               "relatedSpdxElement": part["SPDXID"]} for part in parts),
        ],
    }, indent=2))


main()
