// The rules of a definition as a form holds them, and the parts of a definition that it makes.
import {
  type Comparison,
  type Condition,
  type Feature,
  type Operand,
  type RankingRule,
  type SignalRule,
  type StrategyDefinition,
} from '#engine/strategy/definition.ts';
import { unitOf } from '#engine/strategy/parsing/units.ts';
import type { Combined } from './whole-parts.ts';

/** A comparison; `right` is a figure's name, or LEVEL where it is the number of `level`. */
export type Row = {
  readonly left: string;
  readonly op: Comparison;
  readonly right: string;
  /** As it was typed: in percent where the figure is a return or volatility. */
  readonly level: string;
};

/** Conditions that hold all together, or any of them. Null where they were written in a way that rows cannot show. */
export type Rows = { readonly join: 'all' | 'any'; readonly rows: readonly Row[] } | null;

/** A figure that the form adds. */
export type NewFigure = {
  readonly indicator: (typeof FIGURES)[number] | 'combine';
  readonly length: string;
  readonly combined: Combined;
};

export const SIDES = ['enterLong', 'exitLong', 'enterShort', 'exitShort'] as const;
export type Side = (typeof SIDES)[number];
/** Where the other side of a comparison is a number. */
export const LEVEL = '';
export const FIGURES = [
  'sma',
  'ema',
  'roc',
  'rsi',
  'volatility',
  'highest',
  'lowest',
  'zscore',
  'drawdown',
  'atr',
  'turnover',
] as const;

export type RuleForm = {
  readonly universe: string;
  readonly schedule: string;
  readonly direction: StrategyDefinition['direction'];
  /** By the name of the feature that each becomes. */
  readonly figures: Readonly<Record<string, NewFigure>>;
  /** Of a signal rule, by side; of a ranking, who takes part, under `where`. */
  readonly conditions: Readonly<Partial<Record<Side | 'where', Rows>>>;
  /** Of a ranking. */
  readonly by: string;
  readonly top: string;
  readonly bottom: string;
  /** Empty is none. */
  readonly stopPercent: string;
  readonly targetPercent: string;
  readonly maxBars: string;
};

export type RuleEditing = {
  readonly definition: StrategyDefinition;
  readonly form: RuleForm;
  readonly change: (part: Partial<RuleForm>) => void;
};

export function ruleForm(definition: StrategyDefinition): RuleForm {
  const { universe, schedule, direction, rule, exits, features } = definition;
  const ranking = rule.type === 'ranking' ? rule : null;
  return {
    universe: universe.join(', '),
    schedule: schedule.every === 'bars' ? `bars ${schedule.count}` : schedule.every,
    direction,
    figures: {},
    conditions: conditionsOf(rule, features),
    by: ranking?.by ?? '',
    top: String(ranking?.top ?? ''),
    bottom: String(ranking?.bottom ?? ''),
    stopPercent: String(exits.stopPercent ?? ''),
    targetPercent: String(exits.targetPercent ?? ''),
    maxBars: String(exits.maxBars ?? ''),
  };
}

/** The parts that differ from the definition; empty where nothing was changed. */
export function ruleParts(definition: StrategyDefinition, form: RuleForm): Readonly<Record<string, unknown>> {
  const before = ruleForm(definition);
  const parts: Record<string, unknown> = {};
  if (form.universe !== before.universe) parts['universe'] = symbolsIn(form.universe);
  if (form.schedule !== before.schedule) parts['schedule'] = { every: form.schedule };
  if (form.direction !== before.direction) parts['direction'] = form.direction;
  const exits = ['stopPercent', 'targetPercent', 'maxBars'] as const;
  if (exits.some((name) => form[name] !== before[name]))
    parts['exits'] = Object.fromEntries(
      exits.flatMap((name) => (form[name] === '' ? [] : [[name, Number(form[name])]])),
    );
  const isRuled = (['conditions', 'by', 'top', 'bottom', 'direction'] as const).some(
    (name) => JSON.stringify(form[name]) !== JSON.stringify(before[name]),
  );
  const { rule } = definition;
  const features = featuresWith(definition, form);
  if (!isRuled || rule.type === 'pairs' || rule.type === 'decider') return parts;
  const made = rule.type === 'ranking' ? rankingOf(rule, form, features) : signalsOf(rule, form, features);
  if (JSON.stringify(made) !== JSON.stringify(rule)) parts['rule'] = made;
  const used = usedBy(form, features);
  const added = Object.keys(form.figures).filter((name) => used.has(name));
  if (added.length > 0)
    parts['features'] = Object.fromEntries(
      Object.entries(features).filter(([name]) => name in definition.features || used.has(name)),
    );
  return parts;
}

/** The figures of the rules, and those that the form adds to them. */
export function featuresWith(
  { features }: StrategyDefinition,
  form: RuleForm,
): StrategyDefinition['features'] {
  const added = Object.entries(form.figures).map(([name, figure]) => [name, featureOf(figure)]);
  return { ...features, ...(Object.fromEntries(added) as StrategyDefinition['features']) };
}

/** A name that nothing has yet. */
export function nextFigure(definition: StrategyDefinition, form: RuleForm): string {
  const taken = featuresWith(definition, form);
  let number = 1;
  while (`figure_${number}` in taken) number += 1;
  return `figure_${number}`;
}

/** Whether a level beside this figure is written in percent. */
export function isPercent(operand: Operand, features: StrategyDefinition['features']): boolean {
  return unitOf(operand, features) === 'fraction';
}

function featureOf({ indicator, length, combined }: NewFigure): Feature {
  return indicator === 'combine' ? { indicator, ...combined } : { indicator, length: Number(length) };
}

function conditionsOf(
  rule: StrategyDefinition['rule'],
  features: StrategyDefinition['features'],
): RuleForm['conditions'] {
  if (rule.type === 'ranking') return { where: rowsOf(rule.where, features) };
  if (rule.type !== 'signals') return {};
  return Object.fromEntries(SIDES.map((side) => [side, rowsOf(rule[side], features)]));
}

function rowsOf(condition: Condition | undefined, features: StrategyDefinition['features']): Rows {
  if (condition === undefined) return { join: 'all', rows: [] };
  if (condition.op === 'not') return null;
  const [join, given] = 'of' in condition ? [condition.op, condition.of] : (['all', [condition]] as const);
  const rows = given.flatMap((one) => rowOf(one, features) ?? []);
  return rows.length === given.length ? { join, rows } : null;
}

function rowOf(condition: Condition, features: StrategyDefinition['features']): Row | null {
  if (!('left' in condition) || typeof condition.left === 'number') return null;
  const { op, left, right } = condition;
  if (typeof right === 'string') return { left, op, right, level: '' };
  const level = isPercent(left, features) ? Math.round(right * 1e8) / 1e6 : right;
  return { left, op, right: LEVEL, level: String(level) };
}

function rankingOf(rule: RankingRule, form: RuleForm, features: StrategyDefinition['features']): object {
  const { where: _, ...rest } = rule;
  return {
    ...rest,
    by: form.by,
    top: Number(form.top),
    bottom: form.direction === 'long' ? 0 : Number(form.bottom),
    ...conditionPart('where', { present: rule.where, rows: form.conditions.where, features }),
  };
}

function signalsOf(rule: SignalRule, form: RuleForm, features: StrategyDefinition['features']): object {
  const sides = SIDES.filter((side) => form.direction === 'long_short' || !side.endsWith('Short'));
  const parts = sides.map((side) =>
    conditionPart(side, { present: rule[side], rows: form.conditions[side], features }),
  );
  return Object.assign({ type: rule.type }, ...parts) as object;
}

/** What rows cannot show stays as it was written; without rows there is no condition. */
function conditionPart(
  name: Side | 'where',
  {
    present,
    rows,
    features,
  }: { present: Condition | undefined; rows: Rows | undefined; features: StrategyDefinition['features'] },
): object {
  if (!rows) return present === undefined ? {} : { [name]: present };
  const of = rows.rows.map((row) => comparisonOf(row, features));
  if (of.length === 0) return {};
  return { [name]: of.length === 1 ? of[0] : { op: rows.join, of } };
}

function comparisonOf({ left, op, right, level }: Row, features: StrategyDefinition['features']): Condition {
  if (right !== LEVEL) return { op, left, right };
  const value = Number(level);
  return { op, left, right: isPercent(left, features) ? value / 100 : value };
}

/** Figures that a condition or the ranking reads, and what those are made of. */
function usedBy(form: RuleForm, features: StrategyDefinition['features']): ReadonlySet<string> {
  const used = new Set<string>();
  const use = (name: Operand): void => {
    if (typeof name === 'number' || used.has(name)) return;
    used.add(name);
    const feature = features[name];
    if (feature?.indicator === 'combine') for (const one of [feature.left, feature.right]) use(one);
  };
  use(form.by);
  for (const rows of Object.values(form.conditions))
    for (const { left, right } of rows?.rows ?? []) for (const one of [left, right]) use(one);
  return used;
}

function symbolsIn(text: string): string[] {
  return text
    .split(/[\s,;]+/)
    .filter((symbol) => symbol !== '')
    .map((symbol) => symbol.toUpperCase());
}

/** Whether every number of the form is one. */
export function isComplete(form: RuleForm): boolean {
  const lengths = Object.values(form.figures).flatMap(({ indicator, length }) =>
    indicator === 'combine' ? [] : [length],
  );
  const levels = Object.values(form.conditions).flatMap(
    (rows) => rows?.rows.flatMap(({ right, level }) => (right === LEVEL ? [level] : [])) ?? [],
  );
  return [...lengths, ...levels].every((text) => text.trim() !== '' && Number.isFinite(Number(text)));
}
