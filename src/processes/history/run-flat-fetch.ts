// `npm run history -- fetch --flat-files`: from the vendor, or from a folder of files that were downloaded.
import { existsSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { gunzipSync } from 'node:zlib';
import { flatFilePath } from '#adapters/market-data/massive/flat-files/flat-file.ts';
import {
  type FlatFileConfig,
  type FlatFiles,
  flatFileStore,
} from '#adapters/market-data/massive/flat-files/flat-file-store.ts';
import { tickersOf } from '#engine/market/tickers.ts';
import { openFactBook } from '#records/market/fact-book.ts';
import { type BarSource, listInstruments } from '#records/market/instruments.ts';
import { addDays, type Instant, utcDate } from '#units/instant.ts';
import { fetchFlatFiles } from './fetch-flat-files.ts';
import type { FlatFetchRequest } from './history-arguments.ts';
import { HistoryStop, type HistoryTools } from './write-history.ts';

type FlatRun = HistoryTools & {
  readonly request: FlatFetchRequest;
  /** Null where the settings have no keys of the vendor's files. */
  readonly config: FlatFileConfig | null;
  readonly source: BarSource;
  readonly now: () => Instant;
  readonly say: (line: string) => void;
};

export async function runFlatFetch(run: FlatRun): Promise<boolean> {
  const { database, request, now } = run;
  const { interval, from, to } = request;
  const known = (await listInstruments(database)).filter(({ kind }) => kind === 'equity');
  const unknown = request.symbols.find((symbol) => !known.some((one) => one.symbol === symbol));
  if (unknown !== undefined)
    throw new HistoryStop(
      `nobody knows ${unknown} on this market: add it to MARKET_SYMBOLS and start the product once, or import a file of it first`,
    );
  const symbols = request.symbols.length > 0 ? request.symbols : known.map(({ symbol }) => symbol);
  const book = await openFactBook(database, ['massive', 'alpaca'], now);
  return fetchFlatFiles({
    ...run,
    files: filesOf(run),
    symbols,
    tickers: tickersOf(book.facts()),
    interval,
    from,
    to: to ?? addDays(utcDate(now()), -1),
  });
}

function filesOf({ request: { folder }, config }: FlatRun): FlatFiles {
  if (folder !== null) return inFolder(folder);
  if (config === null)
    throw new HistoryStop(
      'MASSIVE_S3_KEY_ID and MASSIVE_S3_SECRET_KEY are not set: they are in the dashboard of Massive, beside the other key. ' +
        'Files that were downloaded are read with --folder FOLDER',
    );
  return flatFileStore(config);
}

/** The files beside each other, or in the vendor's own folders. */
function inFolder(folder: string): FlatFiles {
  if (!existsSync(folder)) throw new HistoryStop(`there is no folder ${folder}`);
  return async (date, interval) => {
    const places = [path.join(folder, flatFilePath(date, interval)), path.join(folder, `${date}.csv.gz`)];
    const found = places.find((place) => existsSync(place));
    if (found === undefined) return { ok: true, value: null };
    try {
      return { ok: true, value: gunzipSync(readFileSync(found)).toString('utf8') };
    } catch {
      return { ok: false, code: 'malformed', message: `${found} is no whole gzip file` };
    }
  };
}
