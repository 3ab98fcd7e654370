// The differences between kinds of instruments, as one object for each kind; the engine and the sandbox brokerage know
// nothing else about a kind. Pure: everything follows from the instrument, the session and its close.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import type { CorporateAction } from '../corporate-action.ts';
import type { PositionEvent } from '../position-event.ts';
import type { Instrument } from '../instrument.ts';
import { parseOption } from '../option-contract.ts';

export type KindCosts = {
  /** Commission as a share of notional: 0.0005 is 0.05 percent. */
  readonly commissionRate: number;
  /** Commission for one contract in dollars, exchange and regulatory fees included. 0 where there is none. */
  readonly commissionPerContract: number;
  /** How much worse than the market an order fills, as a share of the price: half a spread and some impact. */
  readonly slippageRate: number;
};

export type KindRules = {
  readonly costs: KindCosts;
  /** Initial margin as a share of notional, long or short. */
  readonly initialMargin: number;
  /**
   * The level that equity must stay above, as a share of notional, long or short; 0 where a position is secured
   * otherwise.
   */
  readonly maintenanceMargin: number;
  /** How many times further than the usual collar an order may fill: premiums move in larger steps than prices. */
  readonly collarFactor: number;
  /**
   * How long an order may be on its way before the price that it was decided on is too old to send it; of time in which
   * the instrument trades. Well above the age of an order that leaves at once, and below a minute: a collar is meant for
   * the moves of seconds.
   */
  readonly priceMaxAgeMs: number;
  /** The effect of the end of a session on a holding, in order; null where there never is one. */
  readonly overnight: ((endOfDay: EndOfDay) => readonly PositionEvent[]) | null;
  /** The instrument that orders for this one go to on a trading day: itself, except for the root of a future. */
  readonly tradedOn: (instrument: Instrument, date: IsoDate) => Instrument['symbol'];
};

/** The time between two sessions, for a holder of the instrument. */
export type EndOfDay = {
  readonly instrument: Instrument;
  /** Signed. */
  readonly held: Quantity;
  /** The session that has closed, and the next one. */
  readonly date: IsoDate;
  readonly next: IsoDate;
  readonly close: number;
  /** US dollars for one unit of the quote currency. */
  readonly rate: number;
  /** All known data of the instrument, oldest first. */
  readonly actions: readonly CorporateAction[];
  /** Of the underlying of an option; null for the other kinds. */
  readonly underlying: UnderlyingEndOfDay | null;
  /** Options end at their expiry and not before: at a real market nobody follows our rule of early exercise. */
  readonly isHeldToExpiry?: boolean;
};

export type UnderlyingEndOfDay = Pick<EndOfDay, 'close' | 'actions' | 'held'>;

/** Options first: the shares held that evening are known after deliveries, and dividends go to those who held them. */
export function inEndOfDayOrder(symbols: readonly Symbol[]): Symbol[] {
  const options = symbols.filter((symbol) => parseOption(symbol) !== null);
  if (options.length === 0) return [...symbols];
  const delivered = options.map((symbol) => parseOption(symbol)!.underlying);
  return [...new Set([...options, ...symbols, ...delivered])];
}

export const itself: KindRules['tradedOn'] = (instrument) => instrument.symbol;
