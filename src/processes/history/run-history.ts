// `npm run history`: years of bars in sealed Parquet files, imported, fetched, listed, verified.
import { setTimeout as pause } from 'node:timers/promises';
import type { HistoryStore } from '#ports/market-history.ts';
import { withHistoryLock } from '#records/market/history-heads.ts';
import type { Database } from '#records/postgres/database.ts';
import { instant } from '#units/instant.ts';
import { withCommandDatabase } from '../database/command-database.ts';
import { worldDatabase } from '../database/world-database.ts';
import { type Environment, readEnvironment } from '../environment/environment.ts';
import { fetchHistory } from './fetch-history.ts';
import { HISTORY_USAGE, type HistoryRequest, readHistoryRequest } from './history-arguments.ts';
import { importHistory } from './import-history.ts';
import { listHistory } from './list-history.ts';
import { removeHistory } from './remove-history.ts';
import { runFlatFetch } from './run-flat-fetch.ts';
import { verifyHistory } from './verify-history.ts';
import { historySource, openHistory } from '../wiring/open-history.ts';
import type { World } from '../wiring/world.ts';

export async function runHistory(world: World, words: readonly string[]): Promise<void> {
  try {
    process.exitCode = await answer(world, words);
  } catch (error) {
    console.error(error instanceof Error ? error.message : String(error));
    process.exitCode = 1;
  }
}

async function answer(world: World, words: readonly string[]): Promise<number> {
  let request: HistoryRequest;
  try {
    request = readHistoryRequest(words);
  } catch (error) {
    console.error(`${error instanceof Error ? error.message : String(error)}\n\n${HISTORY_USAGE}`);
    return 1;
  }
  const environment = readEnvironment(process.env, world.name);
  const store = openHistory(environment.dataDir);
  return withCommandDatabase(
    environment,
    ({ database }) => withHistoryLock(database, () => run({ world, environment, database, store }, request)),
    worldDatabase(environment),
  );
}

type Opened = {
  readonly world: World;
  readonly environment: Environment;
  readonly database: Database;
  readonly store: HistoryStore;
};

/** Answers the exit code: 0 when nothing is left to do. */
async function run(
  { world, environment, database, store }: Opened,
  request: HistoryRequest,
): Promise<number> {
  const source = historySource(environment.market);
  const tools = { database, store, source, say, now: () => instant(Date.now()) };
  switch (request.command) {
    case 'import':
      return (await importHistory({ ...tools, ...request })) ? 0 : 1;
    case 'fetch': {
      const { marketData: feed } = await world.openMarketData(environment, { database }, null);
      return (await fetchHistory({ ...tools, ...request, feed, pause })) ? 0 : 1;
    }
    case 'fetch-flat-files': {
      const config = environment.live?.massiveFiles ?? null;
      return (await runFlatFetch({ ...tools, request, config })) ? 0 : 1;
    }
    case 'list':
      for (const line of await listHistory({ ...tools, ...request })) say(line);
      return 0;
    case 'verify': {
      const { files, bars, faults } = await verifyHistory(tools);
      for (const fault of faults) say(fault);
      say(
        `${files} files, ${bars} bars: ${faults.length === 0 ? 'every byte is as it was written' : `${faults.length} of them changed since they were written`}`,
      );
      return faults.length === 0 ? 0 : 1;
    }
    case 'remove': {
      const lines = await removeHistory(tools, { ...request, source });
      for (const line of lines) say(line);
      if (lines.length === 0)
        say(`The history has no bars of ${request.symbol}: npm run history -- list shows what it has.`);
      return lines.length === 0 ? 1 : 0;
    }
  }
}

function say(line: string): void {
  console.log(line);
}
