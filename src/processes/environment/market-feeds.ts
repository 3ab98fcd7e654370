// MARKET_FEEDS: which feed serves which kind of instrument. The first is the one whose prices count, the second the check.
import type { InstrumentKind } from '#engine/market/instrument.ts';

export type FeedName = 'alpaca' | 'massive' | 'interactive-brokers';

export type FeedTable = readonly {
  readonly kind: InstrumentKind;
  readonly first: FeedName;
  readonly second: FeedName | null;
}[];

/** What each feed has. */
const SERVES: { readonly [Name in FeedName]: readonly InstrumentKind[] } = {
  alpaca: ['equity', 'crypto', 'options'],
  massive: ['equity'],
  'interactive-brokers': ['equity'],
};
/** Without splits and dividends a feed can check prices and nothing more. */
const CHECKS_ONLY: readonly FeedName[] = ['interactive-brokers'];
const FEED_NAMES = Object.keys(SERVES) as readonly FeedName[];
const KINDS = [...new Set(Object.values(SERVES).flat())];
/** Kinds that only one feed has need no row. */
const ALONE = KINDS.flatMap((kind) => {
  const [first, ...others] = FEED_NAMES.filter((name) => SERVES[name].includes(kind));
  return first === undefined || others.length > 0 ? [] : [{ kind, first, second: null }];
});

/** Throws an Error that names the setting and the word in it that is wrong. */
export function readFeedTable(text: string | null): FeedTable {
  const rows = (text ?? 'equity=alpaca').split(';').filter((row) => row.trim() !== '');
  const given = rows.map(readRow);
  const table = [...given, ...ALONE.filter(({ kind }) => !given.some((one) => one.kind === kind))];
  const twice = table.find(({ kind }, index) => table.findIndex((one) => one.kind === kind) !== index);
  if (twice !== undefined)
    throw new Error(`MARKET_FEEDS names ${twice.kind} twice: give it one list of feeds`);
  const missing = KINDS.find((kind) => !table.some((one) => one.kind === kind));
  if (missing !== undefined)
    throw new Error(`MARKET_FEEDS has no feed for ${missing}: write ${missing}=alpaca, for example`);
  return table.toSorted((left, right) => KINDS.indexOf(left.kind) - KINDS.indexOf(right.kind));
}

function readRow(row: string): FeedTable[number] {
  const [kindText = '', list, ...rest] = row.split('=').map((word) => word.trim());
  if (list === undefined || rest.length > 0)
    throw new Error(`MARKET_FEEDS must be like ${EXAMPLE}, and "${row.trim()}" is not a kind with its feeds`);
  const kind = KINDS.find((one) => one === kindText);
  if (kind === undefined)
    throw new Error(`MARKET_FEEDS knows the kinds ${KINDS.join(', ')}, not "${kindText}"`);
  const [first, second = null, ...more] = list.split(',').map((word) => readFeed(word.trim(), kind));
  if (more.length > 0)
    throw new Error(`MARKET_FEEDS lists more than two feeds for ${kind}: one counts, one checks it`);
  if (first === second)
    throw new Error(`MARKET_FEEDS names ${first} twice for ${kind}: a feed cannot check itself`);
  if (CHECKS_ONLY.includes(first!))
    throw new Error(
      `MARKET_FEEDS names ${first} first for ${kind}, and it lists no splits and dividends: name it second`,
    );
  return { kind, first: first!, second };
}

function readFeed(word: string, kind: InstrumentKind): FeedName {
  const name = FEED_NAMES.find((one) => one === word);
  if (name === undefined)
    throw new Error(`MARKET_FEEDS knows the feeds ${FEED_NAMES.join(', ')}, not "${word}" for ${kind}`);
  if (!SERVES[name].includes(kind))
    throw new Error(`MARKET_FEEDS asks ${name} for ${kind}, and it has ${SERVES[name].join(', ')} only`);
  return name;
}

const EXAMPLE = '"equity=alpaca,massive"';
