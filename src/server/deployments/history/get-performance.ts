import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { TimeframeRange } from '#contract/strategies/series.ts';
import { readEquity } from '#records/deployments/deployment-views.ts';
import type { Call } from '../../http/call.ts';
import { notFound } from '../../http/refusal.ts';
import { equitySeries } from '../../answers/equity-series.ts';

const RANGE_DAYS: Readonly<Record<TimeframeRange, number | null>> = {
  '1D': 1,
  '1W': 7,
  '1M': 31,
  '3M': 92,
  '1Y': 366,
  ALL: null,
};

export const getPerformance: Call<typeof deploymentsEndpoints.getDeploymentPerformance> = async (
  { params, query, caller },
  { records },
) => {
  const wanted = { id: params.id, userId: caller.userId, days: RANGE_DAYS[query.timeframe] };
  const [row] = await readEquity(records.pool, wanted);
  if (!row) return notFound();
  return {
    ...equitySeries(row),
    benchmark_name: row.benchmark_name,
    as_of: row.as_of.toISOString(),
  };
};
