// A published strategy that a model decides, with the record of its answers in every form, its result and its probes, as the seed of
// a catalogue makes them.
import type { SeriesBySymbol } from '#engine/strategy/feature-column.ts';
import type { Database } from '#records/postgres/database.ts';
import { probeRecord } from '#results/probe-record.ts';
import { type CommittedVersion, readSeries, renewResult, type ResultTools } from '#results/renew-result.ts';
import { recordHistory } from '#trader/deciders/record-history.ts';
import { type Instant, instant } from '#units/instant.ts';
import { wallInstant } from '#units/wall-instant.ts';
import { commitStrategy, resultTools } from './committed-strategy.ts';
import type { DecidingModel } from './deciding-model.ts';
import { deciderOfTest } from './engine/decider.ts';

export type DecidedStrategy = {
  readonly version: CommittedVersion;
  readonly tools: ResultTools;
  readonly series: SeriesBySymbol;
};

/** Its model is asked about the closes until `through`, which may be after the commit. */
export async function decidedStrategy(
  database: Database,
  model: DecidingModel,
  given: {
    readonly slug: string;
    readonly rule?: object;
    readonly committedAt: Instant;
    readonly through?: Instant;
  },
): Promise<DecidedStrategy> {
  const { slug, rule, committedAt, through = committedAt } = given;
  const definition = deciderOfTest({ samples: 2, model: model.port.model, dollarsPerMonth: 50, ...rule });
  const version = await commitStrategy(database, { slug, committedAt, definition });
  const tools = resultTools(database, through);
  const series = await readSeries(tools, definition);
  const deciding = { database, deciders: [model.port], realNow: () => wallInstant(Date.UTC(2026, 0, 1)) };
  await recordHistory(deciding, version, { series, from: instant(0), through });
  await renewResult(tools, version);
  await probeRecord(tools, version);
  return { version, tools, series };
}
