// DuckDB on the files that history.ts has written: each symbol's closes, prices and volumes to columns of numbers, by one
// query over all files with its own threads. It checks no seal. The folder of the files is the first word; DuckDB is
// looked up from the folder that the command is started in.
import { createRequire } from 'node:module';
import path from 'node:path';
import { pathToFileURL } from 'node:url';

const [folder, rounds, rows] = process.argv.slice(2);
const require = createRequire(path.join(process.cwd(), 'package.json'));
const { DuckDBInstance, version } = await import(pathToFileURL(require.resolve('@duckdb/node-api')).href);
const connection = await (await DuckDBInstance.create(':memory:')).connect();
const QUERY = `select file_row_number,
  epoch_ms("date"::timestamp)::double + close_offset_ms as closed_at,
  "open"::double, high::double, low::double, "close"::double, volume::double
  from read_parquet('${folder}/T*/*.parquet', file_row_number = true)`;
const COLUMNS = 6;

const times = [];
for (let round = 0; round < Number(rounds); round++) {
  const from = { ms: performance.now(), cpu: process.cpuUsage() };
  const count = await read();
  const { user, system } = process.cpuUsage(from.cpu);
  times.push({ ms: performance.now() - from.ms, cpuMs: (user + system) / 1_000 });
  if (count !== Number(rows)) throw new Error(`DuckDB read ${count} rows of ${rows}`);
}
console.log(JSON.stringify({ version: version(), times }));

/** The rows of a file follow one another: the one numbered 0 begins another symbol. */
async function read() {
  const result = await connection.run(QUERY);
  const symbols = [];
  let count = 0;
  for (const chunk of await result.fetchAllChunks()) {
    const numbers = chunk.getColumnVector(0).items;
    const columns = Array.from({ length: COLUMNS }, (_, i) => chunk.getColumnVector(i + 1).items);
    let from = 0;
    for (let row = 0; row <= chunk.rowCount; row++) {
      if (row < chunk.rowCount && numbers[row] !== 0n) continue;
      if (row > from) for (const column of columns) symbols.at(-1)?.push(column.slice(from, row));
      if (row < chunk.rowCount) symbols.push([]);
      from = row;
    }
    count += chunk.rowCount;
  }
  return count;
}
