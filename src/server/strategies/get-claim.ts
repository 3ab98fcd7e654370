import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { listClaimedRecords, readClaimedGrowth } from '#records/strategies/claimed-records.ts';
import { forwardFrom } from '../answers/show-claim.ts';
import type { Call } from '../http/call.ts';
import { isRefused, notFound } from '../http/refusal.ts';
import { findShownStrategy } from './find-shown-strategy.ts';
import { resultSeries } from '../answers/result-series.ts';

export const getClaim: Call<typeof strategiesEndpoints.getStrategyClaim> = async (asked, dependencies) => {
  const { database } = dependencies.records;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const claimed = (await listClaimedRecords(database, [strategy.id])).get(strategy.id);
  if (claimed === undefined) return notFound();
  const { labels, data } = await readClaimedGrowth(database, claimed.id);
  const since = forwardFrom(strategy);
  const series = (await resultSeries(database, [strategy.backtestId])).get(strategy.backtestId)!;
  const isCompared = claimed.versionId === strategy.versionId;
  const ours = new Map(
    series.labels.flatMap((day, i) => (isCompared && day >= since ? [[day, series.data[i]!] as const] : [])),
  );
  const start = labels.findIndex((day) => ours.has(day));
  const scale = start === -1 ? 0 : (100 * data[start]!) / ours.get(labels[start]!)!;
  return {
    labels: [...labels],
    data: data.map((worth) => worth * 100),
    own: labels.map((day) => (ours.has(day) ? ours.get(day)! * scale : null)),
  };
};
