// `npm run bars`: brings real prices in from files, lists them, removes them.
import { listBarSummaries, removeBars } from '#records/market/bars.ts';
import type { Database } from '#records/postgres/database.ts';
import { removeInstrumentWithoutBars } from '#records/market/instruments.ts';
import { BARS_USAGE, type BarsRequest, readBarsRequest } from './bar-import/bar-arguments.ts';
import { importBars } from './bar-import/import-bars.ts';
import { showImport, showSummaries } from './bar-import/show-import.ts';
import { withCommandDatabase } from './database/command-database.ts';
import { commandEnvironment } from './environment/command-environment.ts';

try {
  process.exitCode = await main(process.argv.slice(2));
} catch (error) {
  console.error(error instanceof Error ? error.message : String(error));
  process.exitCode = 1;
}

async function main(words: readonly string[]): Promise<number> {
  let request: BarsRequest;
  try {
    request = readBarsRequest(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${BARS_USAGE}`);
    return 1;
  }
  return withCommandDatabase(await commandEnvironment(), ({ database }) => run(database, request));
}

/** Answers the exit code: 0 when all files gave bars. */
async function run(database: Database, request: BarsRequest): Promise<number> {
  switch (request.command) {
    case 'list':
      show(showSummaries(await listBarSummaries(database, 'import')));
      return 0;
    case 'remove':
      return remove(database, request);
    case 'import': {
      const report = await importBars(database, request);
      show(showImport(report));
      return report.kept && report.files.every((file) => file.ok) ? 0 : 1;
    }
  }
}

async function remove(database: Database, request: BarsRequest & { command: 'remove' }): Promise<number> {
  const { symbol } = request;
  const stored = (await listBarSummaries(database, 'import')).filter(
    (summary) => summary.symbol === symbol && (request.interval ?? summary.interval) === summary.interval,
  );
  if (stored.length === 0) {
    console.error(`no imported bars of ${symbol} are stored; npm run bars -- list shows what is`);
    return 1;
  }
  for (const { interval } of stored) {
    const count = await removeBars(database, { symbol, interval, source: 'import' });
    show([`${symbol}: ${count} ${interval} bars removed`]);
  }
  await removeInstrumentWithoutBars(database, symbol);
  return 0;
}

function show(lines: readonly string[]): void {
  for (const line of lines) console.log(line);
}
