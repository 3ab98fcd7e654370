// What was typed after `npm run history --`, or a sentence that says what is wrong with it.
import { parseArgs } from 'node:util';
import type { FlatInterval } from '#adapters/market-data/massive/flat-files/flat-file.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, type IsoDate, instantOfDate, parseInstant } from '#units/instant.ts';
import { type ImportRequest, readBarsRequest, readSymbol } from '../bar-import/bar-arguments.ts';

/** Massive's files of bars, by its keys or from a folder. */
export type FlatFetchRequest = {
  /** Empty: every share of the market. */
  readonly symbols: readonly Symbol[];
  readonly interval: FlatInterval;
  readonly folder: string | null;
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
};

export type HistoryRequest =
  | { readonly command: 'import'; readonly request: ImportRequest; readonly again: boolean }
  | {
      readonly command: 'fetch';
      /** Empty: every instrument that the feed has. */
      readonly symbols: readonly Symbol[];
      readonly from: IsoDate | null;
      readonly again: boolean;
    }
  | ({ readonly command: 'fetch-flat-files' } & FlatFetchRequest)
  | { readonly command: 'list'; readonly symbol: Symbol | null; readonly knownAt: Instant | null }
  | { readonly command: 'verify' }
  | { readonly command: 'remove'; readonly symbol: Symbol };

export const HISTORY_USAGE = `npm run history -- import FILE|FOLDER --kind equity|forex|crypto [--again]
    [--symbol SPY] [--interval 1d|1h|1m] [--splits FILE|FOLDER] [--from DATE] [--to DATE]
    [--dates mdy|dmy] [--zone utc|new-york] [--currency USD] [--name TEXT]
npm run history -- fetch [SYMBOL ...] [--from DATE] [--again]
npm run history -- fetch [SYMBOL ...] --flat-files [--interval 1d|1m] [--from DATE] [--to DATE] [--folder FOLDER]
npm run history -- list [SYMBOL] [--known-at TIME]
npm run history -- verify
npm run history -- remove SYMBOL`;

/** Throws an Error whose message is for the person. */
export function readHistoryRequest(words: readonly string[]): HistoryRequest {
  const [command, ...rest] = words;
  switch (command) {
    case 'import':
      return readImport(rest);
    case 'fetch':
      return readFetch(rest);
    case 'list':
      return readList(rest);
    case 'verify':
      parseArgs({ args: rest });
      return { command };
    case 'remove': {
      const [symbol] = parseArgs({ args: rest, allowPositionals: true }).positionals;
      if (symbol === undefined) throw new Error('please name a symbol, such as remove SPY');
      return { command, symbol: readSymbol(symbol) };
    }
    default:
      throw new Error(`the command is import, fetch, list, verify or remove, not "${command ?? ''}"`);
  }
}

function readImport(words: readonly string[]): HistoryRequest {
  const wishes = words.filter((word) => word !== '--again');
  if (wishes.some((word) => word.startsWith('--on-error')))
    throw new Error('--on-error is of npm run bars: the history keeps every good bar and names the others');
  const request = readBarsRequest(['import', ...wishes]);
  if (request.command !== 'import') throw new Error('please name the file or folder to import');
  return { command: 'import', request, again: wishes.length < words.length };
}

function readFetch(words: readonly string[]): HistoryRequest {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      from: { type: 'string' },
      to: { type: 'string' },
      interval: { type: 'string' },
      folder: { type: 'string' },
      again: { type: 'boolean', default: false },
      'flat-files': { type: 'boolean', default: false },
    },
  });
  const symbols = positionals.map(readSymbol);
  const from = values.from === undefined ? null : readDay('--from', values.from);
  const to = values.to === undefined ? null : readDay('--to', values.to);
  if (values['flat-files']) {
    const { interval = '1d', folder = null } = values;
    if (interval !== '1d' && interval !== '1m')
      throw new Error(`--interval must be 1d or 1m with --flat-files, not "${interval}"`);
    if (values.again)
      throw new Error('--again is not needed with --flat-files: name the days with --from and --to');
    if (from !== null && to !== null && to < from) throw new Error(`--to ${to} is before --from ${from}`);
    return { command: 'fetch-flat-files', symbols, interval, folder, from, to };
  }
  const own = (['to', 'interval', 'folder'] as const).find((name) => values[name] !== undefined);
  if (own !== undefined) throw new Error(`--${own} goes with --flat-files`);
  return {
    command: 'fetch',
    symbols,
    from,
    again: values.again,
  };
}

function readList(words: readonly string[]): HistoryRequest {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: { 'known-at': { type: 'string' } },
  });
  const [symbol, ...more] = positionals;
  if (more.length > 0) throw new Error(`there is one word too many: ${more[0]}`);
  const knownAt = values['known-at'];
  return {
    command: 'list',
    symbol: symbol === undefined ? null : readSymbol(symbol),
    knownAt: knownAt === undefined ? null : readTime(knownAt),
  };
}

function readDay(name: string, text: string): IsoDate {
  try {
    instantOfDate(text);
    return text as IsoDate;
  } catch {
    throw new Error(`${name} must be a day as YYYY-MM-DD, not "${text}"`);
  }
}

function readTime(text: string): Instant {
  try {
    return parseInstant(text);
  } catch {
    throw new Error(`--known-at must be a time such as 2026-11-25T12:00:00Z, not "${text}"`);
  }
}
