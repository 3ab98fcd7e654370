// Everything that was booked for a deployment, one after the other, from its investment on: what each booking must have moved, what the
// ledger says that it moved, and the books after it.
import { adjustedTrades, applyEvent, deliveredTrades } from './apply-event.ts';
import {
  type Books,
  type Fill,
  type Finding,
  type Flow,
  type Instrument,
  type LedgerTransaction,
  type PositionEvent,
  signedFlow,
  type StatedChange,
} from './rows.ts';
import { isSame, type Moved, type State, type Trade, trade, wholeUnits } from './trade.ts';

/** The books after a booking. */
export type Snapshot = State & {
  readonly entry: number;
  readonly at: string;
  /** Put in less taken out, by then. */
  readonly capital: number;
  /** What this booking realised, commission taken off. */
  readonly settled: number;
};

/** What a booking did to one instrument, for the round trips; in units of the day of the booking. */
export type Step = {
  readonly symbol: string;
  readonly at: string;
  /** The session that an event belongs to, as kind and date; empty for a trade. */
  readonly session: string;
  /** It makes up for an event that its session had missed. */
  readonly late: boolean;
} & (
  | ({ readonly type: 'trade'; readonly name: string } & Trade)
  | { readonly type: 'expire'; readonly price: number }
  | { readonly type: 'split'; readonly ratio: number; readonly since: number }
  | { readonly type: 'income'; readonly amount: number; readonly of: string }
  | {
      readonly type: 'adjust';
      readonly undoesName: string | null;
      readonly booksName: string;
      /** The execution as it was, what of it is taken out, and what is booked. */
      readonly whole: Trade | null;
      readonly undone: Trade | null;
      readonly booked: Trade | null;
    }
);

export type TradeStep = Extract<Step, { readonly type: 'trade' }>;

export type Folded = {
  readonly snapshots: readonly Snapshot[];
  readonly steps: readonly Step[];
  readonly findings: readonly Finding[];
};

export function foldBookings(books: Books, instruments: ReadonlyMap<string, Instrument>): Folded {
  const fold = new Fold(books, instruments);
  for (const transaction of books.ledger) fold.take(transaction);
  return fold.end();
}

type Posted = Readonly<Record<string, number>>;

class Fold {
  private state: State = { cash: 0, realized: 0, held: new Map() };
  private capital = 0;
  private readonly snapshots: Snapshot[] = [];
  private readonly steps: Step[] = [];
  private readonly findings: Finding[] = [];
  private readonly fills: Map<string, Fill>;
  private readonly stated: Map<string, StatedChange>;
  private readonly fees: Map<string, number>;
  private readonly flows: Map<string, Flow>;
  private readonly waiting: PositionEvent[];
  /** What events have moved that no ledger transaction has told of yet. */
  private readonly moved = new Map<string, Posted>();
  private readonly commissions = new Map<string, number>();

  private readonly books: Books;
  private readonly instruments: ReadonlyMap<string, Instrument>;

  constructor(books: Books, instruments: ReadonlyMap<string, Instrument>) {
    this.books = books;
    this.instruments = instruments;
    this.fills = new Map(books.fills.map((fill) => [fill.cause, fill]));
    this.stated = new Map(books.stated.map((one) => [one.cause, one]));
    this.fees = feesOf(books);
    this.flows = new Map(books.flows.map((one) => [one.cause, one]));
    this.waiting = [...books.events];
  }

  take(transaction: LedgerTransaction): void {
    this.happenBefore(transaction.firstEntry, transaction.at);
    const expected = this.expect(transaction);
    if (expected === null)
      this.find('ledger', transaction.cause, 'cause', { stored: transaction.kind, recomputed: null });
    else this.compare(transaction, expected);
    this.keep(transaction, expected === null ? 0 : -(expected.realized ?? 0) - (expected.commission ?? 0));
  }

  end(): Folded {
    this.happenBefore(Infinity, this.books.ledger.at(-1)?.at ?? '');
    for (const [cause, { cash = 0, realized = 0 }] of this.moved)
      if (!isSame(cash, 0) || !isSame(realized, 0))
        this.find('event of a holding', cause, 'ledger transaction', { stored: null, recomputed: cash });
    for (const [cause, fill] of this.fills) {
      const posted = this.commissions.get(cause);
      if (posted === undefined)
        this.find('fill', cause, 'ledger transaction', { stored: null, recomputed: cause });
      else this.same('fill', cause, 'commission', fill.commission, posted);
    }
    for (const cause of this.stated.keys())
      this.find("broker's figure", cause, 'ledger transaction', { stored: null, recomputed: cause });
    for (const cause of this.flows.keys())
      this.find('flow', cause, 'ledger transaction', { stored: null, recomputed: cause });
    for (const cause of this.fees.keys())
      this.find('ledger', cause, 'ledger transaction', { stored: null, recomputed: cause });
    return { snapshots: this.snapshots, steps: this.steps, findings: this.findings };
  }

  /** What the transaction must have moved; null when nothing accounts for it. */
  private expect(transaction: LedgerTransaction): Posted | null {
    const { kind, cause, amounts } = transaction;
    if (kind === 'opening') return this.open();
    if (kind === 'flow') return this.flow(cause);
    if (kind === 'fill') return this.fill(cause, amounts.commission ?? 0);
    if (kind === 'commission') return this.restate(cause, amounts.commission ?? 0);
    if (kind === 'fee') return this.owe(cause);
    const stated = this.stated.get(cause);
    if (stated !== undefined) {
      const { symbol, sessionKind, date, change } = stated;
      this.stated.delete(cause);
      const of = sessionKind === null ? '' : `${sessionKind} ${date}`;
      this.steps.push({
        type: 'income',
        symbol,
        at: transaction.at,
        session: '',
        late: false,
        of,
        amount: change,
      });
      this.state = { ...this.state, cash: this.state.cash + change, realized: this.state.realized + change };
      return { cash: change, realized: -change };
    }
    const moved = this.moved.get(cause);
    if (moved === undefined) return null;
    this.moved.delete(cause);
    return moved;
  }

  private open(): Posted {
    const { deployment, flows } = this.books;
    return this.putIn(deployment.investment - flows.reduce((sum, flow) => sum + signedFlow(flow), 0));
  }

  private flow(cause: string): Posted | null {
    const flow = this.flows.get(cause);
    this.flows.delete(cause);
    return flow === undefined ? null : this.putIn(signedFlow(flow));
  }

  private putIn(amount: number): Posted {
    this.capital += amount;
    this.state = { ...this.state, cash: this.state.cash + amount };
    return { cash: amount, capital: -amount };
  }

  private fill(cause: string, commission: number): Posted | null {
    const fill = this.fills.get(cause);
    const instrument = fill && this.instruments.get(fill.symbol);
    if (fill === undefined || this.commissions.has(cause)) return null;
    this.commissions.set(cause, commission);
    if (instrument === undefined) {
      this.find('instrument', fill.symbol, 'symbol', { stored: null, recomputed: fill.symbol });
      return null;
    }
    const before = this.state;
    const units = wholeUnits(fill.quantity * fill.splitRatio);
    const { state, moved } = trade(before, instrument, {
      units: fill.side === 'buy' ? units : -units,
      price: fill.price / fill.splitRatio,
      commission,
    });
    this.state = state;
    const { symbol, executedAt: at } = fill;
    const side = fill.side === 'buy' ? units : -units;
    const price = fill.price / fill.splitRatio;
    this.steps.push({
      type: 'trade',
      symbol,
      at,
      session: '',
      late: false,
      name: cause,
      units: side,
      price,
      commission: fill.commission,
    });
    this.same('fill', cause, 'realised result', fill.realized, moved.profit);
    return postings(before, state, moved);
  }

  private restate(cause: string, commission: number): Posted | null {
    const fill = `fill:${cause.slice('commission:'.length).replace(/:\d+$/, '')}`;
    const booked = this.commissions.get(fill);
    if (booked === undefined) return null;
    this.commissions.set(fill, booked + commission);
    const { cash, realized } = this.state;
    this.state = { ...this.state, cash: cash - commission, realized: realized - commission };
    return { cash: -commission, commission };
  }

  private owe(cause: string): Posted | null {
    const fee = this.fees.get(cause);
    this.fees.delete(cause);
    return fee === undefined ? null : { fees: fee, payable: -fee };
  }

  private happenBefore(entry: number, at: string): void {
    while (this.waiting.length > 0 && this.waiting[0]!.afterEntry < entry) {
      const event = this.waiting.shift()!;
      const before = this.state;
      const { state, moved } = applyEvent(before, event, this.instruments);
      this.state = state;
      this.steps.push(...stepsOf(event, before));
      this.moved.set(event.cause, postings(before, state, moved));
      this.same('event of a holding', event.cause, 'realised result', event.realized, moved.profit);
      this.snapshots.push({ ...state, entry: event.afterEntry, at, capital: this.capital, settled: 0 });
    }
  }

  private keep({ lastEntry, at }: LedgerTransaction, settled: number): void {
    this.snapshots.push({ ...this.state, entry: lastEntry, at, capital: this.capital, settled });
  }

  private compare({ cause, amounts }: LedgerTransaction, expected: Posted): void {
    for (const account of ACCOUNTS)
      this.same('ledger', cause, account, amounts[account] ?? 0, expected[account] ?? 0);
    const sum = Object.values(amounts).reduce((total, amount) => total + amount, 0);
    this.same('ledger', cause, 'sum of the entries', sum, 0);
  }

  private same(kind: Finding['kind'], row: string, figure: string, stored: number, recomputed: number): void {
    if (!isSame(stored, recomputed)) this.find(kind, row, figure, { stored, recomputed });
  }

  private find(
    kind: Finding['kind'],
    row: string,
    figure: string,
    values: Pick<Finding, 'stored' | 'recomputed'>,
  ): void {
    this.findings.push({ kind, row, figure, ...values });
  }
}

const ACCOUNTS = ['cash', 'holdings', 'realized', 'commission', 'capital', 'fees', 'payable'] as const;

/** Debits above zero: an income is below. */
function postings(before: State, after: State, { profit, commission }: Moved): Posted {
  const cash = after.cash - before.cash;
  return { cash, holdings: profit - commission - cash, realized: -profit, commission };
}

function feesOf({ deployment, bills, corrections }: Books): Map<string, number> {
  return new Map([
    ...bills
      .filter(({ fee }) => fee > 0)
      .map(({ number, fee }) => [`fee:${deployment.id}:${number}`, fee] as const),
    ...corrections
      .filter(({ credit }) => credit > 0)
      .map(({ number, credit }) => [`fee_credit:${deployment.id}:${number}`, -credit] as const),
  ]);
}

function stepsOf(row: PositionEvent, { held }: State): readonly Step[] {
  const { symbol, kind, event, entitled, realized, at, execution, date } = row;
  const session = `${CONTRACT_ENDS.includes(kind) ? 'delivery' : kind} ${date}`;
  const base = { symbol, at, session, late: execution !== '' };
  switch (kind) {
    case 'split': {
      const ratio = Number(event.ratio);
      return [
        { ...base, type: 'split', ratio, since: wholeUnits((held.get(symbol)?.units ?? 0) - entitled) },
      ];
    }
    case 'dividend':
    case 'swap':
      return [{ ...base, type: 'income', amount: realized, of: session }];
    case 'expiry':
      return [{ ...base, type: 'expire', price: Number(event.price) }];
    case 'coin_fee': {
      const units = -Number(event.units) / 1e8;
      return [{ ...base, type: 'trade', name: '', units, price: Number(event.price), commission: 0 }];
    }
    case 'adjustment':
      return [
        {
          ...base,
          type: 'adjust',
          undoesName: row.undoes,
          booksName: row.books ?? '',
          ...adjustedTrades(event),
        },
      ];
    default: {
      const [contracts, shares] = deliveredTrades(event, held.get(symbol));
      return [
        { ...base, type: 'trade', name: '', ...contracts },
        { ...base, type: 'trade', name: '', ...shares, symbol: String(event.underlying) },
      ];
    }
  }
}

const CONTRACT_ENDS: readonly string[] = ['expiry', 'exercise', 'assignment'];
