// What the account holds outside all deployments: traded externally, or short of what a deployment had sold before its
// broker took the purchase back; less what deployments gave up to it.
import type { BrokerAccountId, ExecutionId, Symbol } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import { type Micro, micro, scale } from '#units/money.ts';
import { type Quantity, quantity } from '#units/quantity.ts';
import type { Adjustment } from '../market/adjustment.ts';
import type { Side } from '../order/order.ts';

export type SuspenseEntry = {
  readonly kind:
    | 'external_trade'
    | 'difference'
    | 'shortfall'
    | 'released'
    | 'reversed'
    | 'transfer'
    | 'coin_fee';
  /** The broker's id, or the id of the adjustment that books it; for a transfer its instrument and time, for a fee in coins its instrument and day. */
  readonly executionId: ExecutionId;
  readonly accountId: BrokerAccountId;
  /** Our symbol where the catalogue has the instrument, else the broker's description. */
  readonly symbol: string;
  readonly side: Side;
  readonly quantity: Quantity;
  /** In the quote currency; zero when unknown. */
  readonly price: number;
  readonly at: Instant;
  /** What it cost, negative for what the broker gave back; null or absent while not known. */
  readonly commission?: Micro | null;
};

/** The part of an adjustment that its entries need. */
export type SuspendedAdjustment = {
  readonly id: string;
  readonly accountId: BrokerAccountId;
  readonly symbol: string;
  /** Signed. */
  readonly units: Quantity;
  readonly price: number | null;
};

/** An execution as its broker reported it. */
export type KeptExecution = {
  readonly side: Side;
  readonly quantity: Quantity;
  readonly price: number;
  readonly commission: Micro | null;
  readonly at: Instant;
};

/**
 * An execution that its broker revised and its deployment keeps as it was, having ended, say: its owner has the revised one
 * and the other side of the first. Together they are the units, the money and the commission that changed.
 */
export function revisionEntries(
  { id, accountId, symbol }: Pick<SuspendedAdjustment, 'id' | 'accountId' | 'symbol'>,
  executionId: ExecutionId,
  { first, revised }: { readonly first: KeptExecution; readonly revised: KeptExecution },
): readonly SuspenseEntry[] {
  const { side, quantity: units, price, commission, at } = first;
  return [
    { kind: 'external_trade', executionId, accountId, symbol, ...revised },
    {
      kind: 'reversed',
      executionId: id as ExecutionId,
      accountId,
      symbol,
      side: side === 'buy' ? 'sell' : 'buy',
      quantity: units,
      price,
      commission: commission === null ? null : micro(-commission),
      at,
    },
  ];
}

/** For external trades: an execution in the units and at the time of its report, a difference as of now. */
export function externalTradeEntry(
  { id, accountId, symbol, units, price }: SuspendedAdjustment,
  reported: {
    readonly execution: ExecutionId | null;
    readonly at: Instant;
    readonly mark: number | undefined;
  },
): SuspenseEntry {
  const { execution, at, mark } = reported;
  return {
    kind: execution === null ? 'difference' : 'external_trade',
    executionId: execution ?? (id as ExecutionId),
    accountId,
    symbol,
    side: units < 0 ? 'sell' : 'buy',
    quantity: quantity(Math.abs(units)),
    price: price ?? mark ?? 0,
    at,
  };
}

/** Signed units that came into an account, or left it, without an execution. */
export function transferEntry(
  { symbol, units }: { readonly symbol: Symbol; readonly units: Quantity },
  { accountId, at }: { readonly accountId: BrokerAccountId; readonly at: Instant },
): SuspenseEntry {
  return {
    kind: 'transfer',
    executionId: `transfer:${symbol}:${isoText(at)}` as ExecutionId,
    accountId,
    symbol,
    side: units < 0 ? 'sell' : 'buy',
    quantity: quantity(Math.abs(units)),
    price: 0,
    at,
  };
}

/** What an adjustment writes into suspense in addition to the books of its deployment. */
export function adjustmentEntries(
  proposal: SuspendedAdjustment,
  booked: Adjustment,
  { isOfExternalTrade, at }: { readonly isOfExternalTrade: boolean; readonly at: Instant },
): readonly SuspenseEntry[] {
  const shortfall = shortfallEntry(proposal, booked, at);
  return [
    ...(shortfall === null ? [] : [shortfall]),
    ...(isOfExternalTrade ? [releasedEntry(proposal, at)] : []),
  ];
}

/** Units that a deployment should give back and no longer holds are a shortfall of its account, as of now. */
function shortfallEntry(
  { id, accountId }: SuspendedAdjustment,
  { symbol, undoes, books, shortfall }: Adjustment,
  at: Instant,
): SuspenseEntry | null {
  if (shortfall === undefined) return null;
  const isUndone = undoes !== null && undoes.units > 0;
  const { units, price, commission: paid } = (isUndone ? undoes : books)!;
  // The broker gives back, or takes, the whole commission; the deployment's books only that of the units that it held.
  const commission = scale(paid, (isUndone ? -shortfall : shortfall) / Math.abs(units));
  const executionId = id as ExecutionId;
  const entry = {
    executionId,
    accountId,
    symbol,
    side: 'sell',
    quantity: shortfall,
    price,
    commission,
    at,
  } as const;
  return { kind: 'shortfall', ...entry };
}

/**
 * The other side of what a deployment gave up because it was traded externally: it is now in the deployment's books and
 * no longer external. The total of books and suspense does not change.
 */
function releasedEntry(
  { id, accountId, symbol, units, price }: SuspendedAdjustment,
  at: Instant,
): SuspenseEntry {
  return {
    kind: 'released',
    executionId: id as ExecutionId,
    accountId,
    symbol,
    side: units < 0 ? 'buy' : 'sell',
    quantity: quantity(Math.abs(units)),
    price: price!,
    at,
  };
}
