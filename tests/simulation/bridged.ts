// The return bridge of every deployment of a simulated world, against the record that would have been published for it: on
// each day it sums from the record to what the deployment had, and nothing is left unexplained.
import { bridgeLadder } from '#engine/bridge/bridge-ladder.ts';
import { BRIDGE_STEPS, type BridgeDay, bridgeInCents, returnBridge } from '#engine/bridge/return-bridge.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { symbolsRead } from '#engine/strategy/feature-column.ts';
import { findBridgeBooks } from '#records/books/bridge-books.ts';
import { findInstruments } from '#records/market/instruments.ts';
import { readSeries } from '#records/market/read-series.ts';
import { publishedCosts } from '#results/publish-result.ts';
import { recordedColumns } from '#results/recorded-columns.ts';
import { actualDays } from '#rules/portfolio/bridge/actual-days.ts';
import type { StrategyVersionId, UserId } from '#units/identifiers.ts';
import { add } from '#units/money.ts';
import { NO_MODELS } from '../support/no-models.ts';
import type { World } from './world.ts';

type Bridged = { readonly violations: readonly string[]; readonly days: number };

export async function bridged({ records, now }: World): Promise<Bridged> {
  const { rows } = await records.pool.query<DeploymentRow>(
    `select d.id, d.user_id, v.id as version, v.definition from deployments d join strategy_versions v on v.id = d.strategy_version_id`,
  );
  const violations: string[] = [];
  let days = 0;
  for (const row of rows) {
    const bridge = await bridgeOf(row, { records, now });
    days += bridge.length;
    for (const day of bridge) {
      const isWhole = [day, bridgeInCents(day)].every(
        ({ published, steps, mine }) => add(published, ...BRIDGE_STEPS.map((step) => steps[step])) === mine,
      );
      if (!isWhole || day.steps.residual !== 0)
        violations.push(`the return bridge of ${row.id} on ${day.date}: ${JSON.stringify(day)}`);
    }
  }
  return { violations, days };
}

async function bridgeOf(
  { id, user_id: userId, version: versionId, definition }: DeploymentRow,
  { records, now }: Pick<World, 'records' | 'now'>,
): Promise<readonly BridgeDay[]> {
  const parsed = parseDefinition(definition);
  const found = await findBridgeBooks(records.database, { id, userId });
  if (!parsed.ok || found === null) throw new Error(`deployment ${id} has no books to bridge`);
  const listed = await findInstruments(records.database, symbolsRead(parsed.definition));
  const instruments = new Map(listed.map((one) => [one.symbol, one]));
  const series = new Map(
    await Promise.all(
      listed.map(async (one) => [one.symbol, await readSeries(records.database, one, now())] as const),
    ),
  );
  const tools = { database: records.database, models: NO_MODELS, now: now() };
  const { scores, answers } = await recordedColumns(
    tools,
    { versionId, definition: parsed.definition },
    series,
  );
  const settings = publishedCosts({ instruments, ...(answers && { answers }) }, found.start);
  const ladder = bridgeLadder(
    { definition: parsed.definition, instruments, series, scores, settings },
    { ...found, limits: found },
  );
  return returnBridge(ladder, actualDays(found.books, found.instruments, found.references));
}

type DeploymentRow = {
  readonly id: string;
  readonly user_id: UserId;
  readonly version: StrategyVersionId;
  readonly definition: unknown;
};
