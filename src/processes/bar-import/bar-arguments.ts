// What was typed after `npm run bars --`, or a sentence that says what is wrong with it.
import { parseArgs } from 'node:util';
import type { BarInterval, InstrumentKind } from '#engine/market/instrument.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type IsoDate, instantOfDate } from '#units/instant.ts';
import type { Currency } from '#units/money.ts';

export type ImportableKind = Exclude<InstrumentKind, 'futures' | 'options'>;

export type ImportRequest = {
  readonly command: 'import';
  readonly source: string;
  readonly kind: ImportableKind;
  readonly symbol: Symbol | null;
  readonly name: string | null;
  readonly currency: Currency | null;
  readonly interval: BarInterval | null;
  readonly splits: string | null;
  readonly dates: 'M/D/YYYY' | 'D/M/YYYY' | null;
  readonly zone: 'utc' | 'new-york' | null;
  readonly from: IsoDate | null;
  readonly to: IsoDate | null;
  /** keep: bad rows are refused and the others kept. refuse: one bad row, and nothing is kept. */
  readonly onError: 'keep' | 'refuse';
};

export type BarsRequest =
  | ImportRequest
  | { readonly command: 'list' }
  | { readonly command: 'remove'; readonly symbol: Symbol; readonly interval: BarInterval | null };

export const BARS_USAGE = `npm run bars -- import FILE|FOLDER --kind equity|forex|crypto [--symbol SPY] [--interval 1d|1h|1m]
    [--splits FILE|FOLDER] [--on-error keep|refuse] [--currency USD] [--name TEXT] [--from DATE] [--to DATE]
    [--dates mdy|dmy] [--zone utc|new-york]
npm run bars -- list
npm run bars -- remove SYMBOL [--interval 1d|1h|1m]`;

/** Throws an Error whose message is for the person. */
export function readBarsRequest(words: readonly string[]): BarsRequest {
  const { values, positionals } = parseArgs({
    args: [...words],
    allowPositionals: true,
    options: {
      symbol: { type: 'string' },
      kind: { type: 'string' },
      name: { type: 'string' },
      currency: { type: 'string' },
      interval: { type: 'string' },
      splits: { type: 'string' },
      dates: { type: 'string' },
      zone: { type: 'string' },
      from: { type: 'string' },
      to: { type: 'string' },
      'on-error': { type: 'string' },
    },
  });
  const [command, target, ...more] = positionals;
  if (more.length > 0) throw new Error(`there is one word too many: ${more[0]}`);
  const interval = optional('--interval', values.interval, ['1d', '1h', '1m'] as const);
  if (command === 'list') return { command };
  if (command === 'remove') {
    return {
      command,
      symbol: readSymbol(target ?? values.symbol ?? missing('a symbol, such as remove SPY')),
      interval,
    };
  }
  if (command !== 'import') throw new Error(`the command is import, list or remove, not "${command ?? ''}"`);
  const kind = optional('--kind', values.kind, ['equity', 'forex', 'crypto'] as const);
  return {
    command,
    source: target ?? missing('the file or folder to import'),
    kind: kind ?? missing('--kind equity, forex or crypto'),
    symbol: values.symbol === undefined ? null : readSymbol(values.symbol),
    name: values.name ?? null,
    currency: optional('--currency', values.currency?.toUpperCase(), CURRENCIES),
    interval,
    splits: values.splits ?? null,
    dates: DATE_ORDERS[optional('--dates', values.dates, ['mdy', 'dmy'] as const) ?? 'found'],
    zone: optional('--zone', values.zone, ['utc', 'new-york'] as const),
    from: readDay('--from', values.from),
    to: readDay('--to', values.to),
    onError: optional('--on-error', values['on-error'], ['keep', 'refuse'] as const) ?? 'keep',
  };
}

/** Symbols are upper-case letters and digits, with dots, dashes or underscores inside. Throws an error with advice. */
export function readSymbol(text: string): Symbol {
  const symbol = text.trim().toUpperCase();
  if (!/^[A-Z0-9][A-Z0-9._-]{0,19}$/.test(symbol)) {
    throw new Error(`"${text}" is no symbol: use up to 20 letters, digits, dots or dashes, such as BRK.B`);
  }
  return symbol as Symbol;
}

export const CURRENCIES = [
  'USD',
  'EUR',
  'GBP',
  'JPY',
  'CHF',
  'AUD',
  'NZD',
  'CAD',
  'INR',
  'ZAR',
] as const satisfies readonly Currency[];

const DATE_ORDERS = { mdy: 'M/D/YYYY', dmy: 'D/M/YYYY', found: null } as const;

function optional<Choice extends string>(
  name: string,
  text: string | undefined,
  choices: readonly Choice[],
): Choice | null {
  if (text === undefined) return null;
  const found = choices.find((choice) => choice === text);
  if (found === undefined) throw new Error(`${name} must be one of ${choices.join(', ')}, not "${text}"`);
  return found;
}

function readDay(name: string, text: string | undefined): IsoDate | null {
  if (text === undefined) return null;
  try {
    instantOfDate(text);
    return text as IsoDate;
  } catch {
    throw new Error(`${name} must be a day as YYYY-MM-DD, not "${text}"`);
  }
}

function missing(what: string): never {
  throw new Error(`please name ${what}`);
}
