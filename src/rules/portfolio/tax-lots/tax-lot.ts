// Tax lots: what was opened by one trade, and what is left of it. The gain or loss of a sale is that of the lots which it
// closes (Internal Revenue Code, sections 1001, 1012, 1091 and 1222; Internal Revenue Service, Publication 550).
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';
import type { Micro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';

export const LOT_METHODS = ['fifo', 'lifo', 'highest_cost', 'specific'] as const;
/** Which lots a sale closes first. 'specific': those that were named for it, then the oldest. */
export type LotMethod = (typeof LOT_METHODS)[number];

/** A purchase or sale of what is paid in full: shares, coins, options. */
export type LotTrade = {
  readonly type: 'trade';
  /** Names the lot that it opens. */
  readonly id: string;
  /** Whose books: a sale closes lots of its own holding only. */
  readonly holding: string;
  readonly symbol: Symbol;
  /** The trade date. */
  readonly date: IsoDate;
  /** Signed: bought or sold. */
  readonly units: Quantity;
  /** Dollars paid or received before commission, never negative. */
  readonly amount: Micro;
  /** Negative for a rebate. */
  readonly commission: Micro;
  /** The lots that a sale closes first, by the trades that opened them: for the method 'specific'. */
  readonly names?: readonly string[];
};

/** `ratio` new units for each old one: a lot keeps what it cost. */
export type LotSplit = {
  readonly type: 'split';
  readonly holding: string;
  readonly symbol: Symbol;
  readonly ratio: number;
  /** What was held at its close, signed, where some has been traded since; else all of it. */
  readonly entitled?: Quantity;
};

/**
 * Contracts that end in shares. What they cost or brought becomes part of what the shares cost or bring, and the
 * contracts themselves realise nothing.
 */
export type LotDelivery = {
  readonly type: 'delivery';
  readonly id: string;
  readonly holding: string;
  readonly symbol: Symbol;
  readonly date: IsoDate;
  /** Signed like the position that they are taken from. */
  readonly contracts: Quantity;
  readonly underlying: Symbol;
  /** Signed: bought or sold. */
  readonly shares: Quantity;
  /** Dollars at the strike, never negative. */
  readonly amount: Micro;
};

export type LotEvent = LotTrade | LotSplit | LotDelivery;

export type OpenLot = {
  /** The trade that opened it. */
  readonly trade: string;
  readonly holding: string;
  readonly symbol: Symbol;
  readonly side: 'long' | 'short';
  /** Positive. */
  readonly units: Quantity;
  /** Paid for a long lot, received for a short one; commission is not in it, `deferred` is. */
  readonly basis: Micro;
  /** Disallowed losses of what it replaces: a long lot counts as dearer by them, a short one as sold for less. */
  readonly deferred: Micro;
  /** Its part of the commission of the trade that opened it. */
  readonly costs: Micro;
  readonly openedOn: IsoDate;
  /** Earlier than `openedOn` for the replacement of a wash sale: the time that the sold lot was held counts. */
  readonly heldSince: IsoDate;
};

export type ClosedLot = {
  readonly holding: string;
  readonly symbol: Symbol;
  readonly side: 'long' | 'short';
  readonly units: Quantity;
  readonly openedOn: IsoDate;
  readonly closedOn: IsoDate;
  /** The trade that closed it. */
  readonly closedBy: string;
  readonly proceeds: Micro;
  readonly basis: Micro;
  /** Disallowed losses of earlier sales, which this one realises: in its basis, or taken off the proceeds of a short sale. */
  readonly deferred: Micro;
  /** Commissions of both trades, as far as they are of these units. */
  readonly costs: Micro;
  /** proceeds - basis - costs. */
  readonly gain: Micro;
  /** The part of a loss that a wash sale disallows; never negative. It is in the basis of the replacement. */
  readonly disallowed: Micro;
  /** 'long': held for more than one year. A short sale is always 'short'. */
  readonly term: 'short' | 'long';
};

/** What counts for tax: a disallowed loss does not. */
export function taxableGain({ gain, disallowed }: Pick<ClosedLot, 'gain' | 'disallowed'>): Micro {
  return (gain + disallowed) as Micro;
}

/** What was made by the trades alone: before commission, and without what wash sales move from lot to lot. */
export function tradingGain({
  proceeds,
  basis,
  deferred,
}: Pick<ClosedLot, 'proceeds' | 'basis' | 'deferred'>): Micro {
  return (proceeds - basis + deferred) as Micro;
}

export type LotBook = { readonly open: readonly OpenLot[]; readonly closed: readonly ClosedLot[] };
