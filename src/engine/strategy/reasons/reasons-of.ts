// The reasons behind the last target of a compiled definition, read from its columns: only evaluate asks for them, so a
// backtest does not pay.
import { type Instant, instant } from '#units/instant.ts';
import type { CompiledDefinition } from '../compile-definition.ts';
import type { DeciderRule } from '../../decider/decider-rule.ts';
import type { PairsRule, RankingRule, Rule, SignalRule } from '../definition.ts';
import { annualVolatility } from '../feature-column.ts';
import { barAt, isStale, type PreparedInstrument } from '../prepare.ts';
import { type ConditionTest, type SignalName, type TargetReason } from './target-reason.ts';
import { membershipOf } from '../targets/basket.ts';
import { bandReason, convictionReason, wholeReasons } from './whole-reasons.ts';
import { conditionTests, finite } from './condition-tests.ts';

/** Of every instrument of the universe, in its order. */
export function reasonsOf(compiled: CompiledDefinition): readonly (readonly TargetReason[])[] {
  const { prepared, table } = compiled;
  const { instruments, timeline, definition } = prepared;
  if (timeline.length === 0) return instruments.map(() => []);
  const { regime } = table;
  const active = regime === undefined ? { rule: definition.rule, table } : regime.active;
  const own = active && ruleReasons({ prepared, table: active.table }, active.rule);
  const above = wholeReasons(compiled);
  return instruments.map((instrument, s) => [
    ...above[s]!,
    ...(own?.[s] ?? []),
    ...volatilityReason(compiled, instrument, s),
    ...convictionReason(compiled, s),
    ...bandReason(compiled, s),
  ]);
}

function ruleReasons(compiled: CompiledDefinition, rule: Rule): readonly (readonly TargetReason[])[] {
  const { instruments } = compiled.prepared;
  switch (rule.type) {
    case 'ranking':
      return rankReasons(compiled, rule).map((one) => [one]);
    case 'signals':
      return instruments.map((_, s) => signalReasons(compiled, rule, s));
    case 'decider':
      return instruments.map((_, s) => [proposedReason(compiled, rule, s)]);
    case 'pairs':
      return instruments.map((_, s) => spreadReasons(compiled, rule, s));
  }
}

const warmingUp = (at: Instant): TargetReason => ({ code: 'warming_up', at });

function signalReasons(
  { prepared, table }: CompiledDefinition,
  rule: SignalRule,
  s: number,
): readonly TargetReason[] {
  const instrument = prepared.instruments[s]!;
  const last = prepared.timeline.length - 1;
  const newest = instant(prepared.timeline[last]!);
  const verdict = table.verdicts[s]!;
  if (verdict === 'warming_up') return [warmingUp(newest)];
  const reasons: TargetReason[] = [];
  const row = table.decidedAtRow[s]!;
  const decided = SIGNAL_OF[verdict as keyof typeof SIGNAL_OF];
  if (decided !== undefined) reasons.push(...signalAt(instrument, rule, decided, row, prepared.timeline));
  const exit = exitReason({ prepared, table }, s);
  if (exit !== null) reasons.push(exit);
  const isHeld = verdict === 'entered_long' || verdict === 'entered_short';
  if (isHeld && row === last) return reasons;
  const awaited: readonly SignalName[] = isHeld
    ? [verdict === 'entered_long' ? 'exitLong' : 'exitShort']
    : ['enterLong', 'enterShort'];
  // What was left at this close is not awaited at the same close.
  if (!isHeld && row === last) return reasons;
  for (const name of awaited) reasons.push(...signalAt(instrument, rule, name, last, prepared.timeline));
  return reasons;
}

const SIGNAL_OF = {
  entered_long: 'enterLong',
  entered_short: 'enterShort',
  exited_long: 'exitLong',
  exited_short: 'exitShort',
} as const;

function signalAt(
  instrument: PreparedInstrument,
  rule: SignalRule,
  signal: SignalName,
  row: number,
  timeline: Float64Array,
): readonly TargetReason[] {
  const condition = rule[signal];
  const bar = barAt(instrument, row);
  if (condition === undefined || bar < 0) return [];
  const { bars, features } = instrument;
  const tests = conditionTests(condition, { bars, features, bar });
  return [
    { code: 'signal', signal, holds: conditionHolds(condition, tests), tests, at: instant(timeline[row]!) },
  ];
}

/** From the tests of its comparisons, in their order; what is unknown does not hold. */
function conditionHolds(
  condition: SignalRule['enterLong'] & object,
  tests: readonly ConditionTest[],
): boolean {
  let next = 0;
  const value = (one: typeof condition, isNegated: boolean): boolean => {
    if ('left' in one) return tests[next++]!.holds === true;
    if (one.op === 'not') return value(one.of, !isNegated);
    // Every part is read, so that the tests stay in step. Under a `not`, all and any change places.
    const parts = one.of.map((part) => value(part, isNegated));
    return (one.op === 'all') !== isNegated ? parts.every(Boolean) : parts.some(Boolean);
  };
  return value(condition, false);
}

function exitReason({ prepared, table }: CompiledDefinition, s: number): TargetReason | null {
  const verdict = table.verdicts[s]!;
  if (verdict !== 'stop' && verdict !== 'target' && verdict !== 'max_bars') return null;
  const { bars } = prepared.instruments[s]!;
  const { stopPercent, targetPercent, maxBars } = prepared.definition.exits;
  const row = table.decidedAtRow[s]!;
  const bar = barAt(prepared.instruments[s]!, row);
  const entry = table.entryBars?.[s] ?? bar;
  const limit = { stop: stopPercent, target: targetPercent, max_bars: maxBars }[verdict] ?? 0;
  const moved = Math.abs(bars.close[bar]! / bars.close[entry]! - 1) * 100;
  const value = verdict === 'max_bars' ? bar - entry : moved;
  return { code: 'exit', exit: verdict, limit, value, at: instant(prepared.timeline[row]!) };
}

/** Where each stood when the ranking was last made. */
function rankReasons({ prepared, table }: CompiledDefinition, rule: RankingRule): readonly TargetReason[] {
  const { instruments, timeline } = prepared;
  const row = table.decidedAtRow[0] ?? -1;
  if (row < 0) return instruments.map(() => warmingUp(instant(timeline.at(-1)!)));
  const at = instant(timeline[row]!);
  const basket = membershipOf(prepared);
  basket?.choose(row);
  const values = instruments.map((instrument, s) =>
    table.verdicts[s] === 'not_eligible'
      ? Number.NaN
      : instrument.features.valueAt(rule.by, barAt(instrument, row)),
  );
  const order = values
    .map((_, s) => s)
    .filter((s) => !Number.isNaN(values[s]!))
    // Ties in the order of the universe, as the ranking takes them.
    .sort((one, other) => values[other]! - values[one]! || one - other);
  return instruments.map((instrument, s): TargetReason => {
    const value = values[s]!;
    const { by, top, bottom } = rule;
    if (!Number.isNaN(value))
      return { code: 'ranked', by, value, place: order.indexOf(s) + 1, of: order.length, top, bottom, at };
    const bar = barAt(instrument, row);
    const tests =
      rule.where === undefined || bar < 0
        ? []
        : conditionTests(rule.where, { bars: instrument.bars, features: instrument.features, bar });
    if (bar < instrument.definedBar) return { code: 'not_eligible', cause: 'undefined', tests: [], at };
    if (isStale(instrument, bar, timeline[row]!))
      return { code: 'not_eligible', cause: 'stale', tests: [], at };
    if (basket?.members[s] === 0) return { code: 'not_eligible', cause: 'basket', tests: [], at };
    return { code: 'not_eligible', cause: 'condition', tests, at };
  });
}

function spreadReasons({ prepared, table }: CompiledDefinition, rule: PairsRule, s: number): TargetReason[] {
  const { symbol } = prepared.instruments[s]!;
  const last = prepared.timeline.length - 1;
  const reasons: TargetReason[] = [];
  for (const [place, { first, second }] of rule.pairs.entries()) {
    if (first !== symbol && second !== symbol) continue;
    const decidedAt = table.decidedAtRow[s]!;
    for (const row of new Set([decidedAt, last])) {
      const value = row < 0 ? null : finite(table.spreadAt?.(place, row) ?? Number.NaN);
      if (value === null) continue;
      const { enterAt, exitAt, stopAt = null } = rule;
      const at = instant(prepared.timeline[row]!);
      reasons.push({ code: 'spread', first, second, value, enterAt, exitAt, stopAt, at });
    }
  }
  return reasons.length === 0 ? [warmingUp(instant(prepared.timeline[last]!))] : reasons;
}

/** Of the close at which it was last asked. */
function proposedReason({ prepared, table }: CompiledDefinition, rule: DeciderRule, s: number): TargetReason {
  const instrument = prepared.instruments[s]!;
  const row = table.decidedAtRow[s]!;
  if (row < 0) return warmingUp(instant(prepared.timeline.at(-1)!));
  const share = finite(instrument.proposed?.[barAt(instrument, row)] ?? Number.NaN);
  const { model, withoutAnswer } = rule;
  return { code: 'proposed', model, share, withoutAnswer, at: instant(prepared.timeline[row]!) };
}

/** Where shares follow from volatility, of what is held. */
function volatilityReason(
  { prepared, table }: CompiledDefinition,
  instrument: PreparedInstrument,
  s: number,
): TargetReason[] {
  const { weighting, periodsPerYear } = prepared.definition;
  const line = table.count - 1;
  if (!('length' in weighting) || line < 0) return [];
  const width = table.symbols.length;
  if (table.weights[line * width + s] === 0 || table.spreadAt !== undefined) return [];
  const row = table.rows[line]!;
  const bar = barAt(instrument, row);
  const { length } = weighting;
  const percent =
    bar < 0 ? null : finite(annualVolatility(instrument.bars, length, periodsPerYear)[bar]! * 100);
  return percent === null
    ? []
    : [{ code: 'volatility', length, percent, at: instant(prepared.timeline[row]!) }];
}
