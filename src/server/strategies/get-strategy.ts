import type { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { readModelRecord } from '#records/deciders/model-record.ts';
import { listPriceIncidents } from '#records/incidents/price-incidents.ts';
import { readCapacityUse } from '#records/strategies/capacity.ts';
import { findOwnStrategyFacts } from '#records/strategies/own-strategy-facts.ts';
import { offerNote, offerOf } from '#rules/deployments/gates.ts';
import { incidentNote } from '#rules/reasons/incident-note.ts';
import { practiceFirstNote } from '#rules/deployments/own-strategy.ts';
import type { Call } from '../http/call.ts';
import { isRefused } from '../http/refusal.ts';
import { claimsOf } from '../answers/claims-of.ts';
import { findShownStrategy } from './find-shown-strategy.ts';
import { resultSeries } from '../answers/result-series.ts';
import { showDecider } from './show-decider.ts';
import { showStrategy } from './show-strategy.ts';

export const getStrategy: Call<typeof strategiesEndpoints.getStrategy> = async (asked, dependencies) => {
  const {
    records,
    config: { installation },
  } = dependencies;
  const strategy = await findShownStrategy(dependencies, asked);
  if (isRefused(strategy)) return strategy;
  const series = await resultSeries(records.database, [strategy.backtestId]);
  const ownStrategy = await findOwnStrategyFacts(records.database, strategy);
  const use = await readCapacityUse(records.database, [strategy.id]);
  const claim = (await claimsOf(records.database, [strategy], series)).get(strategy.id);
  const incidents = await listPriceIncidents(records.database, strategy.versionId);
  return {
    ...showStrategy(strategy, series.get(strategy.backtestId)!, {
      installation,
      use: use.get(strategy.id)!,
      claim,
    }),
    price_note: incidentNote(incidents),
    offer_note: offerNote(offerOf(strategy, dependencies.marketData.intraday)),
    practice_first_note: ownStrategy && practiceFirstNote(ownStrategy),
    decider:
      strategy.decider &&
      showDecider(strategy.decider, await readModelRecord(records.database, strategy.versionId)),
  };
};
