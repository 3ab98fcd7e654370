import { isTooMuch } from '#engine/capacity/admit.ts';
import type { Transaction } from '#records/postgres/database.ts';
import { lockCapacity } from '#records/strategies/capacity.ts';
import { readRoom } from '#records/strategies/capacity-queue.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { dollars } from '#rules/dollars.ts';
import type { Micro } from '#units/money.ts';
import { refuse, type Refused } from '../../http/refusal.ts';

const RETIRED = 'This strategy has just been retired: it takes no more money.';

/** Keeps others from its room until the transaction ends. No wait would ever be long enough for more money than a strategy takes in all. */
export async function refuseTooMuch(
  trx: Transaction,
  { id, ownerId }: Pick<StrategyRecord, 'id' | 'ownerId'>,
  { amount, field }: { readonly amount: Micro; readonly field: string },
): Promise<Refused | null> {
  if (ownerId !== null) return null;
  await lockCapacity(trx, id);
  const { capacity, isOffered } = await readRoom(trx, id);
  if (!isOffered) return refuse('strategy_unavailable', RETIRED, { field: 'strategy' });
  if (capacity === null || !isTooMuch({ amount }, capacity)) return null;
  return refuse('out_of_range', `This strategy takes ${dollars(capacity)} in all: enter that or less.`, {
    field,
  });
}
