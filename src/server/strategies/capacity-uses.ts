import { type CapacityUse, readCapacityUse } from '#records/strategies/capacity.ts';
import type { Database } from '#records/postgres/database.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import type { StrategyId } from '#units/identifiers.ts';
import type { Dependencies } from '../http/dependencies.ts';

type Uses = ReadonlyMap<StrategyId, CapacityUse>;
const kept = new WeakMap<Database, { readonly at: number; readonly uses: Uses }>();
/** The marketplace says how full a strategy is; a strategy’s own page reads it anew. */
const KEPT_MS = 3_000;

/** What is in each strategy, summed over everybody’s deployments at most every few seconds. */
export async function capacityUses(
  { records: { database }, now }: Pick<Dependencies, 'records' | 'now'>,
  strategies: readonly StrategyRecord[],
): Promise<Uses> {
  const last = kept.get(database);
  const isFresh = last !== undefined && Math.abs(now() - last.at) < KEPT_MS;
  if (isFresh && strategies.every(({ id }) => last.uses.has(id))) return last.uses;
  const uses = await readCapacityUse(
    database,
    strategies.map(({ id }) => id),
  );
  kept.set(database, { at: now(), uses });
  return uses;
}
