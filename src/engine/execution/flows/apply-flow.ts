// A flow in the books of a deployment: cash and capital change, nothing else does. Promises that it changes neither the return nor the
// drawdown: the base of the one and the peak of the other move in proportion to the value.
import type { Instant } from '#units/instant.ts';
import { add, type Micro, micro, ZERO_MICRO } from '#units/money.ts';
import { roundHalfEven } from '#units/round.ts';
import { noticeTo } from '../deployment/notices.ts';
import type { LedgerPosting } from '../deployment/ledger-posting.ts';
import type { NewNotice } from '../deployment/state-transition.ts';
import type { TradingDeployment } from '../deployment/trading-deployment.ts';
import type { FlowKind, FlowReason, PendingFlow } from './flow.ts';

/** The deployment after it; the newest target is applied anew, to the new amount. `moved` is above zero. */
export function withFlow(
  record: TradingDeployment,
  flow: Pick<PendingFlow, 'kind' | 'requested'>,
  moved: Micro,
): TradingDeployment {
  const signed = signedFlow(flow.kind, moved);
  const equity = add(record.equity, signed);
  return {
    ...record,
    ...(flow.kind === 'withdrawal' && withoutRequest(record, flow.requested)),
    cash: add(record.cash, signed),
    investment: add(record.investment, signed),
    equity,
    peakEquity: inProportion(record.peakEquity, record.equity, equity),
    returnBase: micro(Math.max(1, inProportion(record.returnBase, record.equity, equity))),
    appliedTargetId: null,
  };
}

/** The deployment without a request of this amount: it is done, refused or cancelled. */
export function withoutRequest(
  { withdrawing }: Pick<TradingDeployment, 'withdrawing'>,
  requested: Micro,
): Pick<TradingDeployment, 'withdrawing'> {
  return { withdrawing: micro(withdrawing - requested) };
}

export function signedFlow(kind: FlowKind, moved: Micro): Micro {
  return kind === 'deposit' ? moved : micro(-moved);
}

/** Before it, the value must be above zero. */
function inProportion(amount: Micro, before: Micro, after: Micro): Micro {
  if (before <= 0) throw new RangeError('a flow needs a value above zero before it');
  return micro(roundHalfEven(amount * (after / before)));
}

/** In percent, of everything that was invested at any time; a flow changes nothing of it. */
export function timeWeightedReturn({
  equity,
  returnBase,
}: Pick<TradingDeployment, 'equity' | 'returnBase'>): number {
  return (equity / returnBase - 1) * 100;
}

export function flowPosting(
  { id, deploymentId, kind }: Pick<PendingFlow, 'id' | 'deploymentId' | 'kind'>,
  moved: Micro,
  at: Instant,
): LedgerPosting {
  const cash = signedFlow(kind, moved);
  return {
    deploymentId,
    kind: 'flow',
    cause: `${kind}:${id}`,
    at,
    entries: [
      { account: 'cash', amount: cash },
      { account: 'capital', amount: cash === 0 ? ZERO_MICRO : micro(-cash) },
    ],
  };
}

export function flowNotice(
  record: TradingDeployment,
  { id, kind, requested }: Pick<PendingFlow, 'id' | 'kind' | 'requested'>,
  outcome: { readonly moved: Micro; readonly investment: Micro } | { readonly refused: FlowReason },
  at: Instant,
): NewNotice {
  const { strategyName } = record;
  const cause = `flow:${id}`;
  if ('refused' in outcome)
    return noticeTo(
      record,
      { kind: 'flow_refused', strategyName, flow: kind, requested, reason: outcome.refused },
      { cause, at },
    );
  const done = kind === 'deposit' ? 'money_added' : 'money_withdrawn';
  return noticeTo(record, { kind: done, strategyName, requested, ...outcome }, { cause, at });
}
