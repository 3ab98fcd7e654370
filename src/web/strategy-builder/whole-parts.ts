// What acts on a whole rule as a form holds it, and the parts of a definition that it makes.
import type { Feature, StrategyDefinition } from '#engine/strategy/definition.ts';

export type Combined = Pick<Extract<Feature, { indicator: 'combine' }>, 'op' | 'left' | 'right'>;

export type WholeForm = {
  /** Empty is no regime. */
  readonly regimeSymbol: string;
  readonly regimeDays: string;
  /** Empty is no basket. */
  readonly basketMost: string;
  /** Empty is no band. */
  readonly bandPercent: string;
  /** A feature's name; empty keeps the size as it is. */
  readonly convictionBy: string;
  readonly convictionMost: string;
  /** Arithmetic between two columns, by the name of its feature; ARITHMETIC is there to be chosen in any case. */
  readonly combined: Readonly<Record<string, Combined>>;
  /** By the name of a feature. */
  readonly periods: Readonly<Record<string, 'day' | 'week' | 'month'>>;
};

/** Its own average, by which the form judges an instrument. */
const REGIME_MEAN = 'regime_mean';
const BASKET_LENGTH = 60;
/** The form's own arithmetic, by which it sizes. */
export const ARITHMETIC = 'arithmetic';

export function wholeForm({ regime, basket, band, weighting, features }: StrategyDefinition): WholeForm {
  const mean = features[REGIME_MEAN];
  const conviction = weighting.type === 'conviction' ? weighting : null;
  return {
    regimeSymbol: regime?.symbol ?? '',
    regimeDays: mean !== undefined && 'length' in mean ? String(mean.length) : '200',
    basketMost: basket === undefined ? '' : String(basket.most),
    bandPercent: band === undefined ? '' : String(band.percent),
    convictionBy: conviction?.by ?? '',
    convictionMost: conviction?.maxPercent === undefined ? '' : String(conviction.maxPercent),
    combined: {
      [ARITHMETIC]: { op: 'ratio', left: 'close', right: 'open' },
      ...combinedIn(features),
    },
    periods: Object.fromEntries(
      periodical(features).map(([name, feature]) => [name, feature.every ?? 'day']),
    ),
  };
}

/** The arithmetic of a definition. */
export function combinedIn(features: StrategyDefinition['features']): Readonly<Record<string, Combined>> {
  return Object.fromEntries(
    Object.entries(features).flatMap(([name, feature]) => {
      if (feature.indicator !== 'combine') return [];
      const { op, left, right } = feature;
      return [[name, { op, left, right }]];
    }),
  );
}

/** Features that can be read by weeks and months. */
export function periodical(features: StrategyDefinition['features']): readonly [string, Feature][] {
  return Object.entries(features).filter(
    ([name, { indicator }]) =>
      name !== REGIME_MEAN &&
      indicator !== 'combine' &&
      indicator !== 'correlation' &&
      indicator !== 'month_return',
  );
}

/** Whether the form can show the regime: one that was written otherwise is left as it is. */
export function isOfForm({ regime }: StrategyDefinition): boolean {
  if (regime === undefined) return true;
  const { when, otherwise } = regime;
  return (
    otherwise.type === 'cash' && when.op === 'above' && when.left === 'close' && when.right === REGIME_MEAN
  );
}

/** The parts that differ from the definition; empty where nothing was changed. */
export function wholeParts(
  definition: StrategyDefinition,
  form: WholeForm,
): Readonly<Record<string, object | null>> {
  const before = wholeForm(definition);
  const parts: Record<string, object | null> = {};
  const features = { ...definition.features };
  for (const [name, period] of Object.entries(form.periods)) {
    if (period === before.periods[name] || features[name] === undefined) continue;
    const { every: _, ...rest } = features[name];
    features[name] = (period === 'day' ? rest : { ...rest, every: period }) as Feature;
  }
  combine(features, { form, before });
  const changesRegime = form.regimeSymbol !== before.regimeSymbol || form.regimeDays !== before.regimeDays;
  if (changesRegime && isOfForm(definition)) {
    delete features[REGIME_MEAN];
    if (form.regimeSymbol === '') parts['regime'] = null;
    else {
      features[REGIME_MEAN] = { indicator: 'sma', length: Number(form.regimeDays) };
      parts['regime'] = {
        symbol: form.regimeSymbol,
        when: { op: 'above', left: 'close', right: REGIME_MEAN },
        otherwise: { type: 'cash' },
      };
    }
  }
  if (JSON.stringify(features) !== JSON.stringify(definition.features)) parts['features'] = features;
  if (form.basketMost !== before.basketMost)
    parts['basket'] =
      form.basketMost === ''
        ? null
        : {
            by: 'turnover',
            length: definition.basket?.length ?? BASKET_LENGTH,
            most: Number(form.basketMost),
          };
  if (form.bandPercent !== before.bandPercent)
    parts['band'] = form.bandPercent === '' ? null : { percent: Number(form.bandPercent) };
  const isSized = form.convictionBy !== before.convictionBy || form.convictionMost !== before.convictionMost;
  if (isSized) parts['weighting'] = sizes(form);
  return parts;
}

/** What is sized by the form's arithmetic reads it; where nothing is, it goes. */
function combine(
  features: Record<string, Feature>,
  { form, before }: { readonly form: WholeForm; readonly before: WholeForm },
): void {
  const isSizedByIt = form.convictionBy === ARITHMETIC;
  if (before.convictionBy === ARITHMETIC && !isSizedByIt) delete features[ARITHMETIC];
  for (const [name, combined] of Object.entries(form.combined)) {
    const present = features[name];
    const isChanged = JSON.stringify(combined) !== JSON.stringify(before.combined[name]);
    if (present?.indicator === 'combine' && isChanged) features[name] = { ...present, ...combined };
    if (name === ARITHMETIC && present === undefined && isSizedByIt)
      features[name] = { indicator: 'combine', ...combined };
  }
}

function sizes({ convictionBy: by, convictionMost: most }: WholeForm): object {
  if (by === '') return { type: 'equal', over: 'held' };
  return { type: 'conviction', by, ...(most === '' ? {} : { maxPercent: Number(most) }) };
}
