// SPDX-License-Identifier: Apache-2.0
//
// Runs SQL statements in a new DuckDB, and prints the rows of each as JSON.
//
// usage: node duckdb.cjs MODULE < STATEMENTS
//
// MODULE is the path of @duckdb/node-api, STATEMENTS a JSON array of texts.
const { readFileSync } = require("node:fs");
const { DuckDBInstance } = require(process.argv[2]);

async function main() {
  const statements = JSON.parse(readFileSync(0, "utf8"));
  const instance = await DuckDBInstance.create(":memory:");
  const connection = await instance.connect();
  const answers = [];
  for (const statement of statements) {
    const reader = await connection.runAndReadAll(statement);
    answers.push(reader.getRowsJson());
  }
  process.stdout.write(JSON.stringify(answers));
}

main();
