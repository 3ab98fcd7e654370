// What a broker says moved cash besides trades. Promises a line of the account for what is its owner's, and leaves to
// people what is neither that nor of a holding that we know.
import type { Symbol } from '#units/identifiers.ts';
import type { Billionths } from '#units/billionths.ts';
import { addDays, type IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { previousTradingDay } from '../market/calendar.ts';
import type { CorporateAction } from '../market/corporate-action.ts';
import type { CalendarId } from '../market/instrument.ts';
import type { CashLine } from './cash-statement.ts';

/**
 * delivery: the cash of an expiry, exercise or assignment. trading_fee: a fee for the trades of its day, not of one order.
 * coin_fee: a fee for the trades in one coin of our catalogue on its day, in coins or in money. other: anything else that the broker lists.
 */
export const CASH_ACTIVITY_KINDS = [
  'dividend',
  'withholding_tax',
  'interest',
  'swap',
  'fee',
  'trading_fee',
  'coin_fee',
  'deposit',
  'withdrawal',
  'delivery',
  'other',
] as const;
export type CashActivityKind = (typeof CASH_ACTIVITY_KINDS)[number];

/** worth: by what the trades were worth, units: by how many units they were of. */
export const FEE_BASES = ['worth', 'units'] as const;
export type FeeBasis = (typeof FEE_BASES)[number];

export type CashActivity = {
  /** The broker's id: an activity counts once. */
  readonly activityId: string;
  readonly kind: CashActivityKind;
  /** Null without an instrument, and for one that our catalogue does not have. */
  readonly symbol: Symbol | null;
  /** Signed, in the account's base currency. */
  readonly amount: Micro;
  /** What it was paid for, without its sign; null where the broker does not say, and for a coin_fee. */
  readonly units: Quantity | null;
  /** The day on which it moved the cash: weeks after the ex-date of a dividend. */
  readonly date: IsoDate;
  /** What a trading fee is charged by; by worth where the broker does not say. */
  readonly chargedBy?: FeeBasis | null;
  /** Of a coin_fee: the coins taken; negative for what came back. */
  readonly coins?: Billionths;
};

/** An event of holdings that our own rules booked, as far as a broker's figure may replace it. */
export type EstimatedEvent = { readonly sessionDate: IsoDate; readonly isStated: boolean };

/**
 * owner: a movement of the account's owner. event: the figure for this event of holdings, or for the trades of this day. open: people must say what it is;
 * it is part of what the statement cannot explain.
 */
export type ActivityVerdict =
  | { readonly type: 'owner'; readonly line: CashLine }
  | { readonly type: 'event'; readonly sessionDate: IsoDate }
  | { readonly type: 'open' };

/** `events`: those of its kind and instrument in the account, oldest first; of a fee for trades, the days of deployments' trades; of one in a coin, the days of trades in it. `isTraded`: by a deployment of the account. */
export function judgeActivity(
  { kind, date }: Pick<CashActivity, 'kind' | 'date'>,
  { events, isTraded }: { readonly events: readonly EstimatedEvent[]; readonly isTraded: boolean },
): ActivityVerdict {
  const line = LINES[kind];
  if (line === null) return { type: 'open' };
  if (kind === 'trading_fee' && events.some(({ sessionDate }) => sessionDate === date))
    return { type: 'event', sessionDate: date };
  if (kind === 'coin_fee') return { type: 'event', sessionDate: dayOfCoinFee(date, events) };
  if (!OF_HOLDINGS.has(kind)) return { type: 'owner', line };
  const near = events.filter(
    ({ sessionDate }) => sessionDate <= date && date <= addDays(sessionDate, REACH_DAYS),
  );
  // A tax belongs to the dividend that was stated last; a further figure corrects it.
  const unstated = kind === 'withholding_tax' ? undefined : near.find(({ isStated }) => !isStated);
  const event = unstated ?? near.findLast(({ isStated }) => isStated) ?? near[0];
  if (event !== undefined) return { type: 'event', sessionDate: event.sessionDate };
  return isTraded ? { type: 'open' } : { type: 'owner', line };
}

/**
 * Whether a dividend that a broker states may be of a session whose end our books have not processed yet: until then it
 * would be taken for a further figure of an earlier one. `processed`: the last session that they have.
 */
export function isAheadOfBooks(
  { kind, date }: Pick<CashActivity, 'kind' | 'date'>,
  actions: readonly CorporateAction[],
  { calendar, processed }: { readonly calendar: CalendarId; readonly processed: IsoDate | undefined },
): boolean {
  if (kind !== 'dividend' || processed === undefined) return false;
  return actions.some((action) => {
    if (action.kind !== 'dividend') return false;
    const sessionDate = previousTradingDay(calendar, action.exDate);
    return sessionDate <= date && sessionDate > processed;
  });
}

/** The kind of event of a holding that an activity is the figure for. */
export function eventKindsOf(kind: CashActivityKind): readonly string[] {
  if (kind === 'trading_fee' || kind === 'coin_fee') return [];
  if (kind === 'delivery') return ['expiry', 'exercise', 'assignment'];
  return kind === 'swap' ? ['swap'] : ['dividend'];
}

const OF_HOLDINGS: ReadonlySet<CashActivityKind> = new Set([
  'dividend',
  'withholding_tax',
  'swap',
  'delivery',
]);
const LINES: Readonly<Record<CashActivityKind, CashLine | null>> = {
  dividend: 'dividends',
  withholding_tax: 'dividends',
  interest: 'interest',
  swap: 'interest',
  fee: 'fees',
  trading_fee: 'fees',
  coin_fee: 'fees',
  deposit: 'transfers',
  withdrawal: 'transfers',
  delivery: 'apart',
  other: null,
};

/** Listed for its own day; a broker whose day ends at another hour than ours dates it a day later. Without trades, its own. */
function dayOfCoinFee(date: IsoDate, events: readonly EstimatedEvent[]): IsoDate {
  const near = events.filter(
    ({ sessionDate }) => sessionDate <= date && date <= addDays(sessionDate, COIN_FEE_REACH_DAYS),
  );
  return near.some(({ sessionDate }) => sessionDate === date) ? date : (near.at(-1)?.sessionDate ?? date);
}

const COIN_FEE_REACH_DAYS = 3;
/** A dividend is paid within two months of its ex-date. */
const REACH_DAYS = 60;
