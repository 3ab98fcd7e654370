// The events that a late execution has missed, and those that its deployment's position already includes.
import { type MissedDividend, missedDividends, splitRatioOf } from '#engine/end-of-day/missed-actions.ts';
import type { CorporateAction } from '#engine/market/corporate-action.ts';
import type { Instrument } from '#engine/market/instrument.ts';
import { actionsSince } from '#engine/market/split-ratio.ts';
import type { TradingDeployment } from '#engine/execution/deployment/trading-deployment.ts';
import { findAppliedSessions } from '#records/portfolio/position-events.ts';
import type { Transaction } from '#records/postgres/database.ts';
import type { Instant } from '#units/instant.ts';
import type { TradingContext } from '../trading-context.ts';

type Execution = {
  readonly record: TradingDeployment;
  readonly instrument: Instrument;
  readonly at: Instant;
};

/** Current units of the deployment's holding per unit executed at `at`. */
export async function splitRatioSince(
  trx: Transaction,
  execution: Execution,
  { actions }: Pick<TradingContext, 'actions'>,
): Promise<number> {
  const { instrument, at } = execution;
  const { calendar } = instrument;
  const known = actions.get(instrument.symbol) ?? [];
  const applied = await findApplied(trx, execution, known, 'split');
  return applied === null ? 1 : splitRatioOf(known, { calendar, at }, applied);
}

/** `traded` is signed, in the shares of the execution. */
export async function listMissedDividends(
  trx: Transaction,
  execution: Execution,
  traded: number,
  { actions }: Pick<TradingContext, 'actions'>,
): Promise<readonly MissedDividend[]> {
  const { instrument, at } = execution;
  const { calendar } = instrument;
  const known = actions.get(instrument.symbol) ?? [];
  const applied = await findApplied(trx, execution, known, 'dividend');
  return applied === null ? [] : missedDividends(known, { calendar, at, traded }, applied);
}

/** Null when no such event has happened since: then the records are not read. */
async function findApplied(
  trx: Transaction,
  { record, instrument: { symbol, calendar }, at }: Execution,
  known: readonly CorporateAction[],
  kind: CorporateAction['kind'],
) {
  if (actionsSince(known, kind, { calendar, at }).length === 0) return null;
  const of = { deploymentId: record.id, connectionId: record.connectionId };
  return findAppliedSessions(trx, of, { symbol, calendar, kind });
}
