import type { Strategy } from '#contract/strategies/strategies.ts';
import type { CapacityUse } from '#records/strategies/capacity.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { capacityNote, capacityOf } from '#rules/strategies/capacity.ts';
import { add, fromMicro } from '#units/money.ts';

/** Who wrote a strategy for themselves decides alone how much money goes in. */
export function showCapacity(
  {
    capacity: estimate,
    ownerId,
    minInvestment,
  }: Pick<StrategyRecord, 'capacity' | 'ownerId' | 'minInvestment'>,
  { ownLimit, deployed, waiting }: CapacityUse,
): Strategy['capacity'] {
  const amount = ownerId === null ? capacityOf(estimate, ownLimit) : null;
  return {
    amount: amount === null ? null : fromMicro(amount),
    estimate:
      estimate.kind === 'unknown'
        ? null
        : {
            amount: estimate.amount,
            low: estimate.low,
            high: estimate.high,
            bound: estimate.bound,
            traded_per_year: estimate.tradedPerYear,
          },
    own_limit: ownLimit === null ? null : fromMicro(ownLimit),
    deployed: fromMicro(deployed),
    waiting: { count: waiting.count, amount: fromMicro(waiting.amount) },
    is_full: amount !== null && (waiting.count > 0 || add(deployed, minInvestment) > amount),
    note: capacityNote(estimate, ownLimit),
  };
}
