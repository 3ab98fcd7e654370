// How old a decision is when its order leaves for the broker: the product's own trader against the sandbox brokerage with
// the vendor's published limits on both sides, over some days of the market and several connections. Wall time from the
// commit of the decision, and from the reading of the prices behind it. `--days=N`, `--people=N` and `--day-seconds=N`
// take any number.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { pacedTrading } from '../tests/support/paced-trading.ts';
import { quantile } from './measure.ts';

const { values: options } = parseArgs({
  options: {
    days: { type: 'string' },
    people: { type: 'string' },
    'day-seconds': { type: 'string' },
    full: { type: 'boolean' },
  },
});
const days = Number(options.days ?? 6);
const people = Number(options.people ?? 4);
const daySeconds = Number(options['day-seconds'] ?? 20);

const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-'));
const server = await startDatabase(dataDir);
const handle = openDatabase(server.url);
try {
  await migrateAsOwner(server.ownerUrl);
  const trading = await pacedTrading(handle, { people, daySeconds });
  try {
    await trading.run(days);
    const ages = await trading.ages();
    console.log(`${people} connections, ${days} days of ${daySeconds} s, ${ages.length} orders left`);
    for (const [name, of] of [
      ['since its decision', ages.map(({ sinceDecided }) => sinceDecided)],
      ['since the reading of its prices', ages.map(({ sinceRead }) => sinceRead)],
    ] as const) {
      console.log(
        `  ${name}: p50 ${rounded(of, 0.5)} ms, p99 ${rounded(of, 0.99)} ms, worst ${rounded(of, 1)} ms`,
      );
    }
    const counts = Map.groupBy(trading.problems, (problem) => problem.replace(/[0-9a-f-]{36}|BW\S+/g, '…'));
    for (const [problem, said] of counts) console.log(`  ${said.length} × ${problem}`);
  } finally {
    await trading.close();
  }
} finally {
  await handle.close();
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(server.home, { recursive: true, force: true });
}

/** In whole milliseconds. */
function rounded(values: readonly number[], share: number): number {
  return Math.round(quantile(values, share));
}
