// Events that change what a share is. A rename changes its ticker alone. The others are not carried out in our books: nothing
// is decided on the share for a while, and people look at it.
import type { Symbol } from '#units/identifiers.ts';
import { addDays, type IsoDate } from '#units/instant.ts';

/** reused_ticker: the vendor's ticker is another company's now. unread: an event that cannot be read. */
export const SECURITY_EVENTS = [
  'rename',
  'merger',
  'spin_off',
  'rights',
  'unit_split',
  'redemption',
  'removal',
  'reused_ticker',
  'unread',
] as const;
export type SecurityEvent = (typeof SECURITY_EVENTS)[number];
export type StoppingEvent = Exclude<SecurityEvent, 'rename'>;

export type SecurityChange = {
  readonly symbol: Symbol;
  readonly event: SecurityEvent;
  /** The first day on which the share is something else; later than any day where it is not known. */
  readonly date: IsoDate;
  /** Of a rename: the new one. */
  readonly ticker?: string;
};

export type Halt = {
  readonly event: StoppingEvent;
  readonly date: IsoDate;
  /** The first day on which it is traded again. */
  readonly until: IsoDate;
};

/** The events that stop instruments today; of several, the one that stops for longest. */
export function haltsOn(changes: readonly SecurityChange[], today: IsoDate): ReadonlyMap<Symbol, Halt> {
  const halts = new Map<Symbol, Halt>();
  for (const { symbol, event, date } of changes) {
    if (event === 'rename' || date < addDays(today, -HALT_DAYS)) continue;
    const until = date === UNDATED ? UNDATED : addDays(date, HALT_DAYS + 1);
    const other = halts.get(symbol);
    if (other === undefined || other.until < until) halts.set(symbol, { event, date, until });
  }
  return halts;
}

const HALT_DAYS = 30;
/** Later than any day of trading. */
export const UNDATED = '9999-12-31' as IsoDate;
