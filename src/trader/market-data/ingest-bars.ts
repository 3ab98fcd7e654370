// Stores new closed daily bars from the feed. A bad bar is refused and reported; its instrument then stays
// at the last good day, and strategies that read it see it as not closed yet.
import { acceptBars } from '#engine/market-data/accept-bars.ts';
import { type BarRange, hasOwnBars, missingBars } from '#engine/market-data/missing-bars.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { saveBars } from '#records/market/bars.ts';
import type { BarSource } from '#records/market/instruments.ts';
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import { barFaultText, feedDoubtText } from '#rules/reasons/market-data-fault.ts';
import type { BarHistory } from './bar-history.ts';
import { noteProblem, type TickContext } from '../trading-context.ts';

type IngestContext = Pick<
  TickContext,
  | 'marketData'
  | 'database'
  | 'logger'
  | 'problemLog'
  | 'realNow'
  | 'now'
  | 'instruments'
  | 'actions'
  | 'exceptions'
  | 'report'
>;

export async function ingestBars(
  context: IngestContext,
  history: BarHistory,
  source: BarSource,
): Promise<void> {
  const instruments = [...context.instruments.values()].filter(hasOwnBars);
  const symbols = instruments.map(({ symbol }) => symbol);
  await history.load(symbols, context.now);
  for (const instrument of instruments) {
    const range = missingBars(instrument, history.lastDate(instrument.symbol), context);
    if (range === null) continue;
    try {
      await ingest(context, { instrument, history, source, range });
    } catch (error) {
      const { symbol } = instrument;
      noteProblem(context, `bars of ${symbol}`, error, failing(symbol));
    }
  }
}

type Missing = {
  readonly instrument: Instrument;
  readonly history: BarHistory;
  readonly source: BarSource;
  readonly range: BarRange;
};

async function ingest(context: IngestContext, missing: Missing): Promise<void> {
  const { instrument, history, source, range } = missing;
  const { symbol } = instrument;
  const answer = await context.marketData.dailyBars(symbol, range.from ?? FIRST_DATE, range.to);
  if (!answer.ok) {
    const error = new Error(`${answer.code}: ${answer.message}`);
    noteProblem(context, `bars of ${symbol}`, error, failing(symbol));
    return;
  }
  const { bars, malformed, check } = answer.value;
  const known = history.lastBars(symbol);
  const actions = context.actions.get(symbol) ?? [];
  const around = { instrument, known, actions, now: context.now, check };
  const { accepted, refused, doubted } = acceptBars(bars, around);
  if (refused !== null)
    refuse(context, symbol, `bar of ${symbol} on ${refused.bar.date}`, barFaultText(refused.fault));
  else if (doubted !== null) {
    const error = new Error(`waits: ${feedDoubtText(doubted.doubt)}`);
    noteProblem(context, `bar of ${symbol} on ${doubted.bar.date}`, error, doubtedBar(symbol));
  } else if (malformed !== null) refuse(context, symbol, `a bar of ${symbol}`, malformed);
  if (accepted.length === 0) return;
  const saved = await saveBars(context.database, { symbol, interval: '1d', source }, accepted);
  if (saved.differing.length > 0) {
    const days = saved.differing.join(', ');
    noteProblem(
      context,
      `bars of ${symbol}`,
      new Error(`the feed shows other numbers than before for ${days}`),
      refusedBar(symbol),
    );
  }
  history.append(symbol, accepted);
  context.report.barsIngested += saved.added;
}

function refuse(context: IngestContext, symbol: Symbol, where: string, fault: string): void {
  context.report.barsRefused += 1;
  noteProblem(context, where, new Error(`refused: ${fault}`), refusedBar(symbol));
}

const failing = (symbol: Symbol) =>
  ({ kind: 'market_data_failing', subject: symbol, symbol, task: 'bars' }) as const;

const refusedBar = (symbol: Symbol) =>
  ({ kind: 'price_refused', subject: symbol, symbol, task: 'bar' }) as const;

const doubtedBar = (symbol: Symbol) =>
  ({ kind: 'price_doubted', subject: symbol, symbol, task: 'bar' }) as const;

/** Before any market that a feed could know. */
const FIRST_DATE = '1900-01-01' as IsoDate;
