import type { FastifyRequest } from 'fastify';
import type { Strategy, strategiesEndpoints, StrategyFilters } from '#contract/strategies/strategies.ts';
import { listPublishedStrategies } from '#records/strategies/strategies.ts';
import type { Call, Caller } from '../http/call.ts';
import type { Dependencies } from '../http/dependencies.ts';
import type { Refused } from '../http/refusal.ts';
import { claimsOf } from '../answers/claims-of.ts';
import { capacityUses } from './capacity-uses.ts';
import { refuseDeadToken, refuseFigures } from './refuse-figures.ts';
import { isWanted } from './is-wanted.ts';
import { resultSeries } from '../answers/result-series.ts';
import { showStrategy } from './show-strategy.ts';

export const listStrategies: Call<typeof strategiesEndpoints.listStrategies> = (
  { query, ...asked },
  dependencies,
) => list(query, asked, dependencies);

export const filterStrategies: Call<typeof strategiesEndpoints.filterStrategies> = (
  { body, ...asked },
  dependencies,
) => list(body, asked, dependencies);

async function list(
  filters: StrategyFilters,
  { caller, request }: { readonly caller: Caller | null; readonly request: FastifyRequest },
  dependencies: Dependencies,
): Promise<Strategy[] | Refused> {
  const {
    records,
    config: { installation },
  } = dependencies;
  const hidden = refuseDeadToken(caller, request) ?? (await refuseFigures(caller, dependencies));
  if (hidden !== null) return hidden;
  const all = await listPublishedStrategies(records.database);
  const wanted = all.filter((strategy) => isWanted(strategy, filters));
  const series = await resultSeries(
    records.database,
    wanted.map(({ backtestId }) => backtestId),
  );
  const uses = await capacityUses(dependencies, wanted);
  const claims = await claimsOf(records.database, wanted, series);
  return wanted.map((strategy) =>
    showStrategy(strategy, series.get(strategy.backtestId)!, {
      installation,
      use: uses.get(strategy.id)!,
      claim: claims.get(strategy.id),
    }),
  );
}
