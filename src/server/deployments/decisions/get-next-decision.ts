// When a deployment's strategy next decides, and what it would likely order: the engine's own evaluation and step, on the bars
// so far and the newest prices, as if the market closed at them. Nothing is written.
import type { decisionsEndpoints, NextDecision } from '#contract/decisions.ts';
import { deploymentSnapshots } from '#engine/execution/deployment/deployment-snapshot.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import { followsStrategy } from '#engine/lifecycle/effective-status.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { tradingTerms } from '#engine/risk/trading-terms.ts';
import { step } from '#engine/step.ts';
import { findBrokerOf } from '#ports/brokers.ts';
import { isOwnDeployment } from '#records/deployments/deployment-views.ts';
import { loadTradingDeployments } from '#records/deployments/trading-deployments.ts';
import { listOpenOrders } from '#records/execution/orders.ts';
import { likelyText, noDecisionText } from '#rules/reasons/decision-text.ts';
import type { DeploymentId, Symbol } from '#units/identifiers.ts';
import { fromQuantity } from '#units/quantity.ts';
import { isoText } from '#units/instant.ts';
import type { Call } from '../../http/call.ts';
import type { Dependencies } from '../../http/dependencies.ts';
import { notFound, refuse } from '../../http/refusal.ts';
import { findOutlook, type Outlook } from './outlook.ts';

export const getNextDecision: Call<typeof decisionsEndpoints.getNextDecision> = async (
  { params, caller },
  dependencies,
) => {
  const { records, marketData } = dependencies;
  if (!(await isOwnDeployment(records.pool, { id: params.id, userId: caller.userId }))) return notFound();
  const [record] = await loadTradingDeployments(records.database, [params.id as DeploymentId], 'unlocked');
  if (record === undefined) return notFound();
  if (!followsStrategy(record))
    return { at: null, text: noDecisionText(record.status), likely: null, as_of: null };
  const [clock, listed] = await Promise.all([marketData.clock(), marketData.instruments()]);
  if (!clock.ok || !listed.ok)
    return refuse('unavailable', 'The market is not responding. Please try again shortly.');
  const instruments = new Map(listed.value.map((one) => [one.symbol, one]));
  const outlook = await findOutlook(record.versionId, { now: clock.value.now, instruments }, dependencies);
  return showOutlook(outlook, record, instruments, dependencies);
};

async function showOutlook(
  outlook: Outlook,
  record: TradingDeployment,
  instruments: ReadonlyMap<Symbol, Instrument>,
  { records: { database }, brokers }: Dependencies,
): Promise<NextDecision> {
  const at = outlook.session === null ? null : isoText(outlook.session.closesAt);
  if (outlook.known !== true)
    return { at, text: likelyText({ unknown: outlook.known }), likely: null, as_of: null };
  const { target, weights, prices, allowsShort, definition, calendar, asOf } = outlook;
  const openOrders = await listOpenOrders(database, [record]);
  const versions = new Map([[record.versionId, { allowsShort, calendar, definition }]]);
  const [snapshot] = deploymentSnapshots(
    { records: [record], openOrders, rejectedExits: [], targets: new Map(), attempts: [] },
    { marks: prices, versions },
    (vendor) => findBrokerOf(brokers, vendor)?.limits.sizing,
  );
  const event = { type: 'target', at: target.asOf, id: 'likely', weights, marks: prices } as const;
  const orders = target.rebalance ? step(snapshot!.state, event, tradingTerms(instruments)).orders : [];
  return {
    at,
    text: likelyText({ sides: orders.map(({ side }) => side) }),
    likely: orders.map(({ symbol, side, quantity }) => ({
      ticker: symbol,
      side,
      quantity: fromQuantity(quantity),
    })),
    as_of: isoText(asOf),
  };
}
