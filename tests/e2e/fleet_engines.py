# SPDX-License-Identifier: Apache-2.0
"""Runs all that 'heapprof help fleet', 'engines' and 'queries' quote on the dumps
of a made-up fleet, and compares the answers of ClickHouse and DuckDB with
heapprof's own numbers."""

import base64
import collections
import datetime
import json
import math
import os
import pathlib
import random
import re
import shutil
import socket
import statistics
import subprocess
import time

HOSTS, PROCESSES, SNAPSHOTS, STACKS, METRICS = 10, 2, 5, 5000, 2
DUCKDB = "@duckdb/node-api@1.5.6-r.1"
DUCKDB_SCRIPT = pathlib.Path(__file__).with_name("duckdb.cjs")
START = 1_764_000_000
# Of smaller objects, some are not sampled even at a period of one byte.
SIZES = [64, 320, 4096]
FUNCTION = "Cache::Insert"  # in the page
FUNCTIONS = [FUNCTION, *(f"ns{i % 7}::f{i}" for i in range(1, 2000))]


def version_of(host):
    return "1.2" if host < HOSTS // 2 else "1.3"


def write_dump(path, paths, rng, scale):
    """A dump in which every allocation is sampled, so that all is exact."""
    lines = ["--- symbol", "binary=/srv/server"]
    lines += [f"0x{0x401000 + 16 * i:016x} {name}"
              for i, name in enumerate(FUNCTIONS)]
    lines += ["---", "--- heap", "heap_v2/1"]
    records = []
    objects = held = 0
    for frames in paths:
        count = rng.randint(1, 50)
        size = count * rng.choice(SIZES) * scale
        objects, held = objects + count, held + size
        addresses = [0x401000 + 16 * frame + (i > 0)
                     for i, frame in enumerate(frames)]
        records.append(
            f"@ {' '.join(map(hex, addresses))}\n"
            f"  t*: {count}: {size} [0: 0]\n  t1: {count}: {size} [0: 0]")
    total = f"{objects}: {held} [0: 0]"
    lines += [f"  t*: {total}", f"  t1: {total}", *records, ""]
    path.write_text("\n".join(lines))


def blocks_of(page):
    """The indented parts of the page, which are commands and statements."""
    for block in re.findall(r"(?:^  .*\n)+", page, re.M):
        yield re.sub("^  ", "", block, flags=re.M)


class Fleet:
    """The dumps, and what the page says about them."""

    def __init__(self, test):
        self.test = test
        self.tree = test.tree
        self.all = self.tree / "all"
        (self.all / "dumps").mkdir(parents=True)
        self.blocks = collections.defaultdict(list)
        page = "".join(test.run_heapprof("help", topic).stdout.decode()
                       for topic in ("fleet", "engines", "queries"))
        for block in blocks_of(page):
            self.blocks[block.split()[0]].append(block)
        test.assertEqual(
            {word: len(blocks) for word, blocks in self.blocks.items()},
            {"heapprof": 2, "v": 1, "ls": 1, "CREATE": 3, "cat": 1,
             "SELECT": 5, "clickhouse-client": 1, "COPY": 1, "printf": 1})

    def shell(self, block, cwd):
        done = subprocess.run(["bash", "-ec", "set -o pipefail\n" + block],
                              cwd=cwd, env=self.test.environment,
                              capture_output=True, text=True)
        self.test.assertEqual((done.returncode, done.stderr), (0, ""), block)

    def make(self):
        rng = random.Random(1)
        paths = [[rng.randrange(len(FUNCTIONS))
                  for _ in range(rng.randint(4, 9))] for _ in range(STACKS)]
        self.dumps = {}  # by host, process and snapshot
        for host in range(HOSTS):
            folder = self.tree / f"web-{host}" / "dumps"
            folder.mkdir(parents=True)
            for process in range(PROCESSES):
                for snapshot in range(SNAPSHOTS):
                    dump = folder / (f"server.{100 + process}.{snapshot}"
                                     f".i{snapshot}.heap")
                    write_dump(dump, paths, rng, 2 if host == 3 else 1)
                    os.utime(dump, (START + 3600 * snapshot + host,) * 2)
                    self.dumps[host, process, snapshot] = dump

    def write_rows(self):
        """As on each machine, then all in one folder."""
        command = self.blocks["ls"][0]
        for host in range(HOSTS):
            folder = self.tree / f"web-{host}"
            self.shell(command.replace("web-1", f"web-{host}")
                       .replace("1.3", version_of(host)), folder)
            for rows in folder.glob("dumps/*.ndjson"):
                rows.rename(self.all / "dumps" / f"{host}.{rows.name}")

    def latest(self):
        return {(host, process): dump
                for (host, process, snapshot), dump in self.dumps.items()
                if snapshot == SNAPSHOTS - 1}

    def cumulative(self, dump):
        report = json.loads(self.test.output("--json", "--names=full", dump))
        return {row["name"]: row["cumulative"]["value"]
                for row in report["rows"]}

    def expected(self):
        """heapprof's answers to the five queries of the page."""
        functions, growth = collections.Counter(), collections.Counter()
        hosts = collections.Counter()
        per_version = HOSTS // 2 * PROCESSES
        for (host, _), dump in self.latest().items():
            report = json.loads(self.test.output("--json", dump))
            hosts[host] += report["totals"]["inuse_space"]["value"]
            sign = 1 if version_of(host) == "1.3" else -1
            for name, value in self.cumulative(dump).items():
                functions[name] += value
                growth[name] += sign * value
        over_time = [
            (f"web-{host}", 100 + process, START + 3600 * snapshot + host,
             self.cumulative(dump)[FUNCTION])
            for (host, process, snapshot), dump in sorted(self.dumps.items())]
        limit = 1.2 * statistics.median(hosts.values())
        stacks = self.test.output("--collapsed", *self.latest().values())
        return [
            first(functions.items()),
            first((name, value / per_version)
                  for name, value in growth.items()),
            [(f"web-{host}", held) for host, held in hosts.most_common()
             if held > limit],
            over_time,
            sorted((stack, int(value)) for stack, value in (
                line.rsplit(" ", 1) for line in stacks.decode().splitlines())),
        ]


def first(rows):
    return sorted(rows, key=lambda row: (-row[1], row[0]))[:20]


class ClickHouse:
    def __init__(self, fleet):
        self.fleet = fleet
        self.folder = fleet.tree / "clickhouse"
        self.folder.mkdir()
        ports = free_ports(2)
        (self.folder / "config.xml").write_text(
            "<yandex><logger><level>warning</level>"
            f"<log>{self.folder}/log</log></logger>"
            f"<tcp_port>{ports[0]}</tcp_port><http_port>{ports[1]}</http_port>"
            "<listen_host>127.0.0.1</listen_host>"
            f"<path>{self.folder}/data/</path>"
            f"<tmp_path>{self.folder}/tmp/</tmp_path>"
            f"<format_schema_path>{self.folder}/formats/</format_schema_path>"
            "<mark_cache_size>1000000000</mark_cache_size>"
            "<users_config>users.xml</users_config>"
            "<default_profile>default</default_profile>"
            "<default_database>default</default_database></yandex>")
        (self.folder / "users.xml").write_text(
            "<yandex><profiles><default/></profiles><users><default>"
            "<password></password><networks><ip>127.0.0.1</ip></networks>"
            "<profile>default</profile><quota>default</quota></default></users>"
            "<quotas><default/></quotas></yandex>")
        client = fleet.tree / ".clickhouse-client"
        client.mkdir()
        (client / "config.xml").write_text(
            f"<config><host>127.0.0.1</host><port>{ports[0]}</port></config>")

    def __enter__(self):
        self.server = subprocess.Popen(
            ["clickhouse-server", f"--config-file={self.folder}/config.xml"],
            cwd=self.folder, env=os.environ | {"TZ": "UTC"},
            stdout=subprocess.DEVNULL, stderr=subprocess.DEVNULL)
        for _ in range(60):
            if self.try_query("SELECT 1").returncode == 0:
                return self
            time.sleep(0.5)
        raise RuntimeError(f"no server; see {self.folder}/log")

    def __exit__(self, *_):
        self.server.terminate()
        self.server.wait()

    def try_query(self, query):
        return subprocess.run(["clickhouse-client", "--query", query],
                              env=self.fleet.test.environment,
                              capture_output=True, text=True)

    def query(self, query):
        done = self.try_query(query)
        assert done.returncode == 0, f"{query}\n{done.stderr}"
        return done.stdout

    def rows(self, query):
        return [tuple(map(plain, row)) for row in json.loads(
            self.query(query + " FORMAT JSONCompact"))["data"]]

    def load(self):
        table, view, _ = self.fleet.blocks["CREATE"]
        self.query(table)
        self.query(view)
        self.fleet.shell(self.fleet.blocks["cat"][0], self.fleet.all)


class DuckDb:
    """Runs all statements at once, because each run is a new database."""

    def __init__(self, fleet):
        self.fleet = fleet
        self.folder = fleet.tree / "duckdb"
        subprocess.run(
            ["npm", "install", "--prefix", self.folder, "--no-audit",
             "--no-fund", DUCKDB], check=True, capture_output=True)

    def answers(self, queries):
        created = [part for part in self.fleet.blocks["CREATE"][2].split(";\n")
                   if part.strip()]
        statements = [*created, "SELECT count(*) FROM heap", *queries,
                      self.fleet.blocks["COPY"][0]]
        done = subprocess.run(
            ["node", DUCKDB_SCRIPT,
             self.folder / "node_modules/@duckdb/node-api"],
            input=json.dumps(statements), cwd=self.fleet.all, check=True,
            stdout=subprocess.PIPE, text=True)
        results = [[tuple(map(plain, row)) for row in rows]
                   for rows in json.loads(done.stdout)]
        return results[len(created):-1]


def free_ports(count):
    sockets = [socket.socket() for _ in range(count)]
    for one in sockets:
        one.bind(("127.0.0.1", 0))
    ports = [one.getsockname()[1] for one in sockets]
    for one in sockets:
        one.close()
    return ports


def plain(value):
    """Engines quote large integers, and ClickHouse has a type for times."""
    text = str(value)
    if re.fullmatch(r"-?\d+", text):
        return int(text)
    if re.fullmatch(r"-?\d+(\.\d+)?(e[+-]?\d+)?", text):
        return float(text)
    if re.fullmatch(r"\d{4}-\d\d-\d\d \d\d:\d\d:\d\d", text):
        moment = datetime.datetime.fromisoformat(text + "+00:00")
        return int(moment.timestamp())
    return value


def assert_same(test, name, found, expected):
    test.assertEqual(len(found), len(expected), name)
    for a, b in zip(found, expected):
        same = all(math.isclose(x, y, rel_tol=1e-12)
                   if isinstance(y, (int, float)) else x == y
                   for x, y in zip(a, b, strict=True))
        test.assertTrue(same, f"{name}: {a} and {b}")


def check_push_commands(fleet):
    """What `curl` would send is JSON with the profile in it."""
    stub = fleet.tree / "bin/curl"
    stub.write_text('#!/bin/sh\ncat > "sent.json"\n')
    stub.chmod(0o755)
    dump = fleet.dumps[0, 0, 0]
    for block in (fleet.blocks["heapprof"][1], fleet.blocks["printf"][0]):
        fleet.shell(block.replace("DUMP", str(dump)), fleet.all)
        sent = json.loads((fleet.all / "sent.json").read_text())
        profile = sent["series"][0]["samples"][0]["rawProfile"]
        fleet.test.assertEqual(base64.b64decode(profile),
                               (fleet.all / "heap.pb.gz").read_bytes())


def check(test):
    for program in ("clickhouse-server", "clickhouse-client", "node", "npm"):
        test.assertTrue(shutil.which(program),
                        f"{program} is missing; run install_deps.sh full")
    fleet = Fleet(test)
    fleet.make()
    fleet.write_rows()
    fleet.shell(fleet.blocks["heapprof"][0].replace(
        "DUMP", str(fleet.dumps[0, 0, 0])), fleet.all)
    (fleet.all / "rows.ndjson").unlink()
    rows = HOSTS * PROCESSES * SNAPSHOTS * STACKS * METRICS
    test.assertGreaterEqual(rows, 1_000_000)
    expected = fleet.expected()
    test.assertEqual([len(answer) for answer in expected],
                     [20, 20, 1, HOSTS * PROCESSES * SNAPSHOTS, STACKS])
    queries = fleet.blocks["SELECT"]
    with ClickHouse(fleet) as engine:
        engine.load()
        test.assertEqual(engine.rows("SELECT count() FROM heap"), [(rows,)])
        clickhouse = [engine.rows(query) for query in queries]
        fleet.shell(fleet.blocks["clickhouse-client"][0], fleet.all)
    test.assertIn("</html>", (fleet.all / "fleet.html").read_text())
    count, *duckdb = DuckDb(fleet).answers(queries)
    test.assertEqual(count, [(rows,)])
    for name, answers in (("ClickHouse", clickhouse), ("DuckDB", duckdb)):
        answers[4].sort()
        for number, (answer, right) in enumerate(
                zip(answers, expected, strict=True), 1):
            assert_same(test, f"{name}, query {number}", answer, right)
    test.assertEqual(
        test.output("--collapsed", fleet.all / "fleet.folded"),
        test.output("--collapsed", *fleet.latest().values()))
    check_push_commands(fleet)
