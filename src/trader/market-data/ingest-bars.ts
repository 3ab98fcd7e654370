// New closed daily bars from the feed into the records. A bad bar is refused and reported; its instrument then stays
// at the last good day, and strategies that read it see it as not closed yet.
import { previousSession } from '#engine/market/calendar.ts';
import type { Bar, Instrument } from '#engine/market/instrument.ts';
import { saveBars } from '#records/market/bars.ts';
import type { BarSource } from '#records/market/instruments.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import { validateBar } from './validate-bar.ts';
import type { BarHistory } from './bar-history.ts';
import { noteProblem, type TradingContext } from '../trading-context.ts';

export async function ingestBars(
  context: TradingContext,
  history: BarHistory,
  source: BarSource,
): Promise<void> {
  const instruments = [...context.instruments.values()].filter(hasOwnBars);
  const symbols = instruments.map(({ symbol }) => symbol);
  await history.load(symbols, context.now);
  for (const instrument of instruments) {
    const session = previousSession(instrument.calendar, context.now).date;
    const closed = lastBarDate(instrument, session);
    const last = history.lastDate(instrument.symbol);
    if (last !== null && last >= closed) continue;
    try {
      await ingest(context, {
        instrument,
        history,
        source,
        from: last === null ? FIRST_DATE : addDays(last, 1),
        to: closed,
      });
    } catch (error) {
      noteProblem(context, `bars of ${instrument.symbol}`, error);
    }
  }
}

/** Options are marked by the bars of what they are on. */
export function hasOwnBars({ kind }: Instrument): boolean {
  return kind !== 'options';
}

/** A contract has no bars after its last day. */
export function lastBarDate({ expiry }: Instrument, session: IsoDate): IsoDate {
  return expiry !== null && expiry < session ? expiry : session;
}

type Missing = {
  readonly instrument: Instrument;
  readonly history: BarHistory;
  readonly source: BarSource;
  readonly from: IsoDate;
  readonly to: IsoDate;
};

async function ingest(context: TradingContext, missing: Missing): Promise<void> {
  const { instrument, history, source, from, to } = missing;
  const { symbol } = instrument;
  const answer = await context.marketData.dailyBars(symbol, from, to);
  if (!answer.ok) {
    noteProblem(context, `bars of ${symbol}`, new Error(`${answer.code}: ${answer.message}`));
    return;
  }
  const good: Bar[] = [];
  const known = history.lastBars(symbol, CLOSES_ASKED);
  const actions = context.actions.get(symbol) ?? [];
  for (const [i, bar] of answer.value.entries()) {
    const before = [...known, ...good.slice(-CLOSES_ASKED)].slice(-CLOSES_ASKED);
    const after = answer.value[i + 1] ?? null;
    const fault = validateBar(bar, { instrument, before, after, actions, now: context.now });
    if (fault === null) {
      good.push(bar);
      continue;
    }
    context.report.barsRefused += 1;
    noteProblem(context, `bar of ${symbol} on ${bar.date}`, new Error(`refused: ${fault}`));
    // What follows a refused bar would be judged against a gap; it waits with it.
    break;
  }
  if (good.length === 0) return;
  const saved = await saveBars(context.database, { symbol, interval: '1d', source }, good);
  if (saved.differing.length > 0) {
    const days = saved.differing.join(', ');
    noteProblem(
      context,
      `bars of ${symbol}`,
      new Error(`the feed tells other numbers than before for ${days}`),
    );
  }
  history.append(symbol, good);
  context.report.barsIngested += saved.added;
}

/** A week of sessions: one wrong bar among them keeps nothing out. */
const CLOSES_ASKED = 5;
/** Before every market that a feed could tell of. */
const FIRST_DATE = '1900-01-01' as IsoDate;
