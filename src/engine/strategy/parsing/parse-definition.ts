// The one parser of strategy definitions. What it accepts is complete (defaults filled in), bounded in size and cost,
// and safe to evaluate; what it refuses it explains, each error with its place.
import { parseModel } from '../../model/parse-model.ts';
import { INTRADAY_INTERVALS, type IntradayInterval } from '../../market/instrument.ts';
import { type Feature, LANGUAGE, type Schedule, type StrategyDefinition } from '../definition.ts';
import { lookbackOf, parseFeature } from './parse-feature.ts';
import { checkWhole, parseWhole } from './parse-whole.ts';
import { parseOptions } from './parse-options.ts';
import { parseRule } from './parse-rule.ts';
import { parseSymbol } from './parse-symbol.ts';
import { parseExits, parseWeighting } from './parse-weighting.ts';
import { type DefinitionError, join, Reader } from './reader.ts';

export type { DefinitionError } from './reader.ts';

export type ParsedDefinition =
  | { readonly ok: true; readonly definition: StrategyDefinition }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

export function parseDefinition(value: unknown): ParsedDefinition {
  const reader = new Reader();
  const given = reader.fields(value, '', FIELDS);
  if (given === null) return { ok: false, errors: reader.errors };
  const universe = reader
    .list(given['universe'], 'universe', { min: 1, max: 1_000 })
    .map((one, i) => parseSymbol(reader, one, join('universe', i)));
  if (new Set(universe).size !== universe.length) reader.fail('universe', 'names a symbol twice');
  const interval = parseInterval(reader, given['interval']);
  const direction = reader.oneOf(given['direction'] ?? 'long', 'direction', ['long', 'long_short']);
  const features = parseFeatures(reader, given['features'] ?? {});
  const model =
    given['model'] === undefined ? undefined : parseModel(reader, given['model'], Object.keys(features));
  const names = [...Object.keys(features), ...(model === undefined ? [] : [model.output])];
  const cost = universe.length * (names.length + 1);
  if (cost > MAX_COST)
    reader.fail('features', `universe × features is ${cost}; at most ${MAX_COST} are computed`);
  const place = { features: names, universe, direction };
  const rule = parseRule(reader, given['rule'], { ...place, path: 'rule' });
  const weighting = given['weighting'] ?? {
    type: 'equal',
    over: rule.type === 'ranking' ? 'held' : 'universe',
  };
  const options =
    given['options'] === undefined
      ? undefined
      : parseOptions(reader, given['options'], { universe, direction });
  const definition: StrategyDefinition = {
    language: reader.oneOf(given['language'], 'language', [LANGUAGE]),
    name: reader.text(given['name'], 'name', { min: 1, max: 120 }),
    notes: reader.text(given['notes'] ?? '', 'notes', { min: 0, max: 4_000 }),
    universe,
    benchmark: parseSymbol(reader, given['benchmark'], 'benchmark'),
    ...(interval === undefined ? {} : { interval }),
    schedule: parseSchedule(
      reader,
      given['schedule'] ?? { every: interval === undefined ? 'day' : 'bar' },
      interval,
    ),
    direction,
    features,
    ...(model === undefined ? {} : { model }),
    rule,
    weighting: parseWeighting(reader, weighting, place),
    gross: reader.number(given['gross'] ?? 1, 'gross', { min: 0.01, max: 1 }),
    exits: parseExits(reader, given['exits']),
    ...parseWhole(reader, given, place),
    ...(options === undefined ? {} : { options }),
    periodsPerYear: reader.oneOf(given['periodsPerYear'] ?? 252, 'periodsPerYear', [252, 365]),
  };
  if (interval !== undefined && model !== undefined)
    reader.fail('model', 'reads days: its bars cannot be shorter');
  if (interval !== undefined && options !== undefined)
    reader.fail('options', 'are looked at by days: the bars cannot be shorter');
  refuseBesideDecider(reader, definition);
  checkWhole(reader, definition);
  return reader.errors.length === 0 ? { ok: true, definition } : { ok: false, errors: reader.errors };
}

/** What a model proposes is the weight, of days, and of what it was asked about. */
function refuseBesideDecider(
  reader: Reader,
  { rule, weighting, model, options, interval, universe, regime, band, basket }: StrategyDefinition,
): void {
  if (rule.type !== 'decider') return;
  if (weighting.type !== 'equal')
    reader.fail('weighting', 'is what the model proposes: leave it out, or equal');
  if (model !== undefined) reader.fail('model', 'cannot stand beside a rule of the type decider');
  if (options !== undefined) reader.fail('options', 'cannot stand beside a rule of the type decider');
  if (interval !== undefined) reader.fail('interval', 'cannot be shorter than a day where a model decides');
  if (regime !== undefined) reader.fail('regime', 'cannot stand beside a rule of the type decider');
  if (band !== undefined) reader.fail('band', 'cannot stand beside a rule of the type decider');
  if (basket !== undefined) reader.fail('basket', 'cannot stand beside a rule of the type decider');
  if (universe.length > MAX_DECIDED)
    reader.fail('universe', `has ${universe.length}; a model decides on at most ${MAX_DECIDED}`);
}

function parseFeatures(reader: Reader, value: unknown): StrategyDefinition['features'] {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) {
    reader.fail('features', 'must be an object: a name for each feature');
    return {};
  }
  const entries = Object.entries(value);
  if (entries.length > MAX_FEATURES)
    reader.fail('features', `has ${entries.length}; at most ${MAX_FEATURES}`);
  const features: { [name: string]: StrategyDefinition['features'][string] } = {};
  for (const [name, one] of entries.slice(0, MAX_FEATURES)) {
    const path = join('features', name);
    if (!FEATURE_NAME.test(name) || PRICES.includes(name)) {
      reader.fail(path, 'is no name for a feature: small letters, digits and _, and not the name of a price');
      continue;
    }
    features[name] = parseBounded(reader, one, path);
  }
  return features;
}

function parseBounded(reader: Reader, value: unknown, path: string): Feature {
  const feature = parseFeature(reader, value, path);
  if (lookbackOf(feature) > MAX_LOOKBACK) reader.fail(path, `looks back more than ${MAX_LOOKBACK} bars`);
  return feature;
}

/** A day is said by leaving it out, so that one strategy has one definition. */
function parseInterval(reader: Reader, value: unknown): IntradayInterval | undefined {
  const interval = reader.oneOf(value ?? '1d', 'interval', [...INTRADAY_INTERVALS, '1d']);
  return interval === '1d' ? undefined : interval;
}

function parseSchedule(reader: Reader, value: unknown, interval: IntradayInterval | undefined): Schedule {
  const given = reader.fields(value, 'schedule', ['every', 'count']) ?? {};
  const every = reader.oneOf(given['every'], 'schedule.every', ['bar', 'day', 'week', 'month', 'bars']);
  if (every === 'bar' && interval === undefined)
    reader.fail(
      'schedule.every',
      "is 'bar' where an interval shorter than a day is named; of days it is 'day'",
    );
  if (every === 'bars') {
    return { every, count: reader.whole(given['count'], 'schedule.count', { min: 1, max: 1_000 }) };
  }
  if (given['count'] !== undefined) reader.fail('schedule.count', "belongs to every 'bars' only");
  return { every };
}

const MAX_FEATURES = 24;
const MAX_DECIDED = 50;
const MAX_LOOKBACK = 3_000;
const MAX_COST = 5_000;
const FEATURE_NAME = /^[a-z][a-z0-9_]{0,39}$/;
const PRICES = ['open', 'high', 'low', 'close', 'volume'];

const FIELDS = [
  'language',
  'name',
  'notes',
  'universe',
  'benchmark',
  'interval',
  'schedule',
  'direction',
  'features',
  'model',
  'rule',
  'weighting',
  'gross',
  'exits',
  'regime',
  'basket',
  'band',
  'options',
  'periodsPerYear',
];
