// The stages of the chain as the trader passes them: counted for the operators always, and traced where that is on.
import {
  barsPlace,
  type ChainPlace,
  closePlace,
  intentPlace,
  targetsPlace,
  type TracedOrder,
} from '#ports/tracing.ts';
import type { StrategyVersionId, TargetId } from '#units/identifiers.ts';
import type { Instant } from '#units/instant.ts';
import { msBetween, wallAfter, type WallInstant } from '#units/wall-instant.ts';
import type { TickContext } from './trading-context.ts';

type Context = Pick<TickContext, 'tracing' | 'latencies' | 'realNow'>;

/** A stage that has just ended, or ended then. */
export function noteStage(
  context: Context,
  place: ChainPlace,
  began: WallInstant,
  ended?: WallInstant,
): void {
  const span = period(began, ended ?? context.realNow());
  measure(context, place, span);
  if (context.tracing.isOn) context.tracing.trace({ ...place, ...span });
}

/** Orders that became durable together: one stage for the operators, and one of each order in its trace. */
export function noteIntents(context: Context, orders: readonly TracedOrder[], began: WallInstant): void {
  if (orders.length === 0) return;
  const span = period(began, context.realNow());
  measure(context, { stage: 'intent' }, span);
  if (context.tracing.isOn)
    for (const order of orders) context.tracing.trace({ ...intentPlace(order), ...span });
}

/** When the wall's clock showed what the market's showed then. */
export function wallTimeOf(
  { seenAt, now, speed }: Pick<TickContext, 'seenAt' | 'now' | 'speed'>,
  at: Instant,
): WallInstant {
  return wallAfter(seenAt, -Math.round(Math.max(0, now - at) / speed));
}

/** Bars are read for every strategy at once: counted here, and traced with each target that they led to. */
export function noteBars(context: Context, began: WallInstant): Period {
  const span = period(began, context.realNow());
  measure(context, { stage: 'bars' }, span);
  return span;
}

/** The target of a strategy is durable: its trace begins. */
export function noteTarget(
  context: Context & Pick<TickContext, 'seenAt' | 'now' | 'speed'>,
  {
    asOf,
    ...target
  }: { readonly id: TargetId; readonly versionId: StrategyVersionId; readonly asOf: Instant },
  { ingested, began }: { readonly ingested: Ingested | null; readonly began: WallInstant },
): void {
  const closedAt = wallTimeOf(context, asOf);
  noteStage(context, closePlace(target), closedAt);
  // Bars of an earlier close led to other targets.
  if (context.tracing.isOn && ingested !== null && msBetween(closedAt, ingested.until) >= 0) {
    const { bars, from, until } = ingested;
    context.tracing.trace({ ...barsPlace(target, bars), from, until });
  }
  noteStage(context, targetsPlace(target), began);
}

export type Ingested = Period & { readonly bars: number };

type Period = { readonly from: WallInstant; readonly until: WallInstant };

/** A clock may have been set back meanwhile. */
function period(began: WallInstant, until: WallInstant): Period {
  return { from: msBetween(began, until) < 0 ? until : began, until };
}

function measure(
  { tracing, latencies }: Context,
  { stage }: Pick<ChainPlace, 'stage'>,
  { from, until }: Period,
): void {
  const seconds = msBetween(from, until) / 1_000;
  latencies.count(stage, seconds);
  tracing.measure(stage, seconds);
}
