# SPDX-License-Identifier: Apache-2.0
"""Looks that `heapprof explain` says nothing that is not listed."""

import pathlib
import re

_GOLDEN = pathlib.Path(__file__).parents[2] / "testdata" / "golden"


def _listed():
    """Returns patterns by what the sentences are about."""
    patterns = {}
    for line in (_GOLDEN / "explain_sentences.txt").read_text().splitlines():
        if line.startswith("#"):
            continue
        about, sentence = line.split(": ", 1)
        pattern = re.escape(sentence).replace(r"\{\}", ".{1,60}")
        patterns.setdefault(about, []).append(pattern)
    return {about: re.compile("|".join(f"(?:{one})" for one in all_of_it))
            for about, all_of_it in patterns.items()}


_LISTED = _listed()


def _is_listed(about, text):
    pattern = _LISTED.get(about)
    return pattern is not None and pattern.fullmatch(text) is not None


def unlisted_in(document):
    """Returns what a document of --json says, and should not."""
    said = [(remark["name"], remark["text"].removeprefix("the base: "))
            for remark in document["remarks"]]
    for line in document["lines"]:
        said += [(line["name"], text)
                 for text in (line["detail"], line["advice"]) if text]
    return [one for one in said if not _is_listed(*one)]


def unlisted_in_text(text):
    """The same of a report's headline and titles."""
    paragraphs = [paragraph.splitlines() for paragraph in text.split("\n\n")]
    said = [("headline", " ".join(paragraphs[0]))]
    for lines in paragraphs[1:]:
        title = [line for line in lines if not line.startswith(" ")]
        if title:
            said.append(("title", " ".join(title)))
    return [one for one in said if not _is_listed(*one)]
