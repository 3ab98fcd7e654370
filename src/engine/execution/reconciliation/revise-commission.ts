// The commission of a booked execution, once its broker states it. Until then the books have our estimate. Promises one
// ledger transaction for each change, and none for a figure that is booked already, however often it is reported.
import type { BrokerAccountId, DeploymentId, ExecutionId } from '#units/identifiers.ts';
import { DAY_MS, type Instant } from '#units/instant.ts';
import type { Quantity } from '#units/quantity.ts';
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';
import { equityMark } from '../deployment/equity-mark.ts';
import type { DeploymentSnapshot } from '../deployment/deployment-snapshot.ts';
import { bookingEntries } from '../deployment/ledger-posting.ts';
import { noTransition, type StateTransition } from '../deployment/state-transition.ts';
import type { TradingMarket } from '../deployment/trading-market.ts';

/** An execution as its broker reports it, quantity without sign, at a price in the currency of the instrument. */
type ReportedExecution = Pick<KnownTrade, 'quantity' | 'price'> & ReportedCommission;

type ReportedCommission = {
  /** Signed: a rebate is negative. Null while the broker does not know it. */
  readonly commission: Micro | null;
  readonly at: Instant;
};

/**
 * The figure to book; null while it is not known. A negative one of a fresh execution may still be a placeholder, and cash
 * that is not there could be spent: it counts as a rebate only after a day.
 */
export function knownCommission({ commission, at }: ReportedCommission, now: Instant): Micro | null {
  if (commission === null) return null;
  return commission >= 0 || now - at >= DAY_MS ? commission : null;
}

/** An execution in the records, as far as its commission is concerned: a fill of ours or a trade of the owner. */
export type KnownTrade = {
  readonly quantity: Quantity;
  readonly price: number;
  /** Null for a trade of the owner of which no figure is known. */
  readonly commission: Micro | null;
  readonly isProvisional: boolean;
};

/** A booked fill, as far as its commission is concerned. */
export type BookedCommission = KnownTrade & {
  readonly executionId: ExecutionId;
  readonly accountId: BrokerAccountId;
  readonly deploymentId: DeploymentId;
  readonly commission: Micro;
  /** How many ledger transactions have changed it. */
  readonly revision: number;
};

/** confirm: the estimate was right to the last digit. */
export type CommissionVerdict =
  | { readonly type: 'none' }
  | { readonly type: 'confirm' }
  | { readonly type: 'revise'; readonly commission: Micro };

/** A row that reports another quantity or price than was booked is spoilt: nothing is taken from it. */
export function judgeCommission(
  { commission: booked, isProvisional, quantity, price }: KnownTrade,
  reported: ReportedExecution,
  now: Instant,
): CommissionVerdict {
  if (reported.quantity !== quantity || reported.price !== price) return { type: 'none' };
  const commission = knownCommission(reported, now);
  if (commission === null) return { type: 'none' };
  if (commission !== booked) return { type: 'revise', commission };
  return { type: isProvisional ? 'confirm' : 'none' };
}

/** Cash, result and equity move by the difference; no price and no position does. */
export function reviseCommission(
  { record }: Pick<DeploymentSnapshot, 'record'>,
  { booked, commission }: { readonly booked: BookedCommission; readonly commission: Micro },
  market: Pick<TradingMarket, 'now' | 'versions' | 'marks' | 'exceptions'>,
): StateTransition {
  const { accountId, executionId, deploymentId, revision } = booked;
  const { now: at } = market;
  const change = subtract(commission, booked.commission);
  const saved = micro(-change);
  const after = {
    ...record,
    cash: add(record.cash, saved),
    realized: add(record.realized, saved),
    equity: add(record.equity, saved),
  };
  const posting = {
    deploymentId,
    kind: 'commission',
    cause: `commission:${accountId}:${executionId}:${revision + 1}`,
    at,
    entries: bookingEntries({
      cash: saved,
      holdings: ZERO_MICRO,
      realized: ZERO_MICRO,
      commission: change,
    }),
  } as const;
  const mark = record.endedAt === null ? equityMark(after, at, market) : null;
  return {
    ...noTransition(record, at),
    after,
    postings: [posting],
    equityMarks: mark === null ? [] : [mark],
  };
}
