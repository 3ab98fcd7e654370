import type { operationsEndpoints } from '#contract/operations/operations.ts';
import { insertCapacityLimit, lockCapacity } from '#records/strategies/capacity.ts';
import { findMeasuredStrategy } from '#records/strategies/strategies.ts';
import { ownLimitProblem } from '#rules/strategies/capacity.ts';
import type { StrategyId } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import { staffOf, transactAs } from '../../http/act-as-staff.ts';
import type { Call } from '../../http/call.ts';
import { isRefused, notFound, refuse, type Refused } from '../../http/refusal.ts';
import { showCatalogueStrategy } from './get-catalogue-strategy.ts';

/** One person alone: it only keeps money out, and never more comes in than is estimated. */
export const setCapacityLimit: Call<typeof operationsEndpoints.setCapacityLimit> = async (
  { params, body, request },
  dependencies,
) => {
  const staff = staffOf(request);
  const limit = body.limit === null ? null : toMicro(body.limit);
  const id = params.id as StrategyId;
  const shown = await showCatalogueStrategy(dependencies.records.database, id, staff);
  if (isRefused(shown)) return shown;
  const refused = await transactAs(staff, dependencies, async (trx): Promise<Refused | null> => {
    await lockCapacity(trx, id);
    const strategy = await findMeasuredStrategy(trx, id);
    if (strategy === undefined) return notFound();
    if (strategy.status !== 'published' || strategy.ownerId !== null)
      return refuse('illegal_move', 'Only a published strategy takes money.');
    const problem = ownLimitProblem(limit, strategy.capacity);
    if (problem !== null) return refuse('out_of_range', problem, { field: 'limit' });
    await insertCapacityLimit(trx, { strategyId: id, limit, by: staff.email });
    return null;
  });
  return refused ?? showCatalogueStrategy(dependencies.records.database, id, staff);
};
