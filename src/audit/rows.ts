// What an auditor reads of a deployment, as the views of the database show it, in whole units and dollars. This floor imports nothing
// of the product: what it finds is a second opinion only as long as it shares no code with the first.

export type Instrument = {
  readonly symbol: string;
  readonly currency: string;
  readonly unitCurrency: string | null;
  readonly multiplier: number;
  readonly settlement: 'cash' | 'margin';
};

/** Times are ISO texts in UTC with milliseconds, so that they sort as text. */
export type Deployment = {
  readonly id: string;
  readonly mode: 'practice' | 'real';
  readonly investment: number;
  readonly cash: number;
  readonly realized: number;
  readonly equity: number;
  readonly highWaterMark: number;
  /** The value at which the time-weighted return is zero. */
  readonly returnBase: number;
  readonly deployedAt: string;
  readonly endedAt: string | null;
  /** How often its owner is billed, and how often that was so at any time. */
  readonly feePeriod: string;
  readonly feePeriods: readonly string[];
};

export type Fill = {
  /** As the ledger names its booking: 'fill:<account>:<execution>'. */
  readonly cause: string;
  readonly symbol: string;
  readonly side: 'buy' | 'sell';
  readonly quantity: number;
  readonly price: number;
  readonly splitRatio: number;
  readonly commission: number;
  readonly realized: number;
  readonly executedAt: string;
};

export type PositionEvent = {
  readonly id: number;
  /** As the ledger names its booking, if it moved money. */
  readonly cause: string;
  readonly symbol: string;
  readonly kind: string;
  readonly date: string;
  readonly event: Readonly<Record<string, unknown>>;
  readonly entitled: number;
  readonly realized: number;
  readonly afterEntry: number;
  readonly at: string;
  /** The late execution or the proposal that it is for; empty for the event of the session itself. */
  readonly execution: string;
  /** Of an adjustment: the bookings of the execution that it undoes, and of the one that takes its place. */
  readonly undoes: string | null;
  readonly books: string | null;
};

export type StatedChange = {
  readonly cause: string;
  /** Empty for fees of all instruments. */
  readonly symbol: string;
  /** Null for fees, which belong to no event. */
  readonly sessionKind: string | null;
  readonly date: string;
  readonly change: number;
};

/** From flat to flat; open where it has no end. */
export type RoundTrip = {
  readonly symbol: string;
  readonly number: number;
  readonly side: 'long' | 'short';
  readonly openedAt: string;
  readonly closedAt: string | null;
  readonly units: number;
  readonly entryPrice: number;
  readonly exitPrice: number | null;
  readonly commission: number;
  readonly income: number;
  readonly result: number;
};

/** Money added to a deployment after its start, or withdrawn from it. */
export type Flow = {
  /** As the ledger names its booking. */
  readonly cause: string;
  readonly kind: 'deposit' | 'withdrawal';
  readonly moved: number;
  /** The value of the deployment just before. */
  readonly valueBefore: number;
  readonly at: string;
};

export function signedFlow({ kind, moved }: Flow): number {
  return kind === 'deposit' ? moved : -moved;
}

export type LedgerTransaction = {
  readonly cause: string;
  readonly kind: string;
  readonly at: string;
  readonly firstEntry: number;
  readonly lastEntry: number;
  /** Sums by ledger account. */
  readonly amounts: Readonly<Record<string, number>>;
};

export type Position = {
  readonly symbol: string;
  readonly quantity: number;
  readonly cost: number;
  readonly markPrice: number;
  readonly currentValue: number;
  readonly unrealized: number;
};

export type Held = Readonly<Record<string, { readonly units: number; readonly price: number }>>;

export type Day = {
  readonly date: string;
  readonly at: string;
  readonly cash: number;
  readonly positions: number;
  readonly equity: number;
  readonly held: Held;
};

export type Bill = {
  readonly number: number;
  readonly isClosing: boolean;
  readonly start: string;
  readonly end: string;
  readonly dueAt: string;
  readonly ledgerThrough: number;
  readonly capital: number;
  readonly settledResult: number;
  readonly worth: number | null;
  readonly worthAt: string | null;
  readonly worthCash: number | null;
  readonly worthHeld: Held | null;
  readonly highWaterBefore: number;
  readonly netFlow: number;
  readonly adjustedMark: number;
  readonly closingValue: number;
  readonly profit: number;
  readonly feePercent: number;
  readonly fee: number;
  readonly highWaterAfter: number;
};

export type Correction = {
  readonly number: number;
  readonly ledgerThrough: number;
  readonly settledResult: number;
  readonly closingValue: number;
  readonly profit: number;
  readonly fee: number;
  readonly credit: number;
};

/** Money that moved for a bill, in the order in which it did. */
export type Payment = {
  readonly number: number;
  readonly kind: 'paid' | 'charged_back' | 'refunded';
  /** Below zero where a bank gave back what it had taken. */
  readonly amount: number;
};

export type Books = {
  readonly deployment: Deployment;
  readonly fills: readonly Fill[];
  readonly events: readonly PositionEvent[];
  readonly stated: readonly StatedChange[];
  /** Oldest first. */
  readonly flows: readonly Flow[];
  /** In the order of their first entries. */
  readonly ledger: readonly LedgerTransaction[];
  readonly positions: readonly Position[];
  /** In the order of their numbers. */
  readonly trips: readonly RoundTrip[];
  /** In the order of their dates. */
  readonly days: readonly Day[];
  /** In the order of their numbers. */
  readonly bills: readonly Bill[];
  readonly corrections: readonly Correction[];
  readonly payments: readonly Payment[];
};

/** The bar of a day, sealed over itself and the seal of the bar before it. */
export type Close = {
  readonly source: string;
  readonly date: string;
  readonly openedAt: string;
  readonly closedAt: string;
  readonly open: number;
  readonly high: number;
  readonly low: number;
  readonly close: number;
  readonly volume: number;
  readonly link: number;
  readonly seal: string;
};

export type CorporateAction = {
  readonly symbol: string;
  readonly exDate: string;
  readonly kind: 'split' | 'dividend';
  readonly amount: number;
};

export type Market = {
  readonly instruments: ReadonlyMap<string, Instrument>;
  /** By symbol, in the order of their links. */
  readonly closes: ReadonlyMap<string, readonly Close[]>;
  readonly actions: readonly CorporateAction[];
};

/** A row that is not what everything else makes of it. */
export type Finding = {
  readonly kind:
    | 'instrument'
    | 'corporate action'
    | 'close'
    | 'fill'
    | 'event of a holding'
    | "broker's figure"
    | 'flow'
    | 'ledger'
    | 'position'
    | 'round trip'
    | 'deployment'
    | 'day'
    | 'bill'
    | 'correction of a bill'
    | 'payment'
    | 'fee period';
  /** Which one. */
  readonly row: string;
  /** Which of its figures. */
  readonly figure: string;
  readonly stored: number | string | null;
  readonly recomputed: number | string | null;
};
