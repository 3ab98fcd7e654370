// What a person changed by hand stays when the rules are changed by sentences, unless the sentences speak of it.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';

type Versions = {
  /** As the words gave it before. */
  readonly before: StrategyDefinition;
  /** As it is now, changed by hand since. */
  readonly now: StrategyDefinition;
  /** As the words give it with the new sentences. */
  readonly next: StrategyDefinition;
};

export function keepTuned(versions: Versions): StrategyDefinition {
  const { next } = versions;
  const merged = withNumbers(versions, withParts(versions));
  const parsed = parseDefinition(JSON.parse(JSON.stringify(merged)));
  return parsed.ok ? parsed.definition : next;
}

/** Parts that the sentences leave as they were are those of now, and so are features that were added by hand. */
function withParts({ before, now, next }: Versions): Fields {
  const [old, current, fresh] = [fieldsOf(before), fieldsOf(now), fieldsOf(next)];
  const merged: Fields = { ...fresh };
  for (const part of PARTS) take(part, { old, current, fresh, merged });
  const features: Fields = { ...(fresh['features'] as Fields) };
  const sides = {
    old: before.features as Fields,
    current: now.features as Fields,
    fresh: next.features as Fields,
  };
  for (const name of Object.keys(now.features)) take(name, { ...sides, merged: features });
  return { ...merged, features };
}

type Fields = { [name: string]: unknown };

function take(
  name: string,
  { old, current, fresh, merged }: { old: Fields; current: Fields; fresh: Fields; merged: Fields },
): void {
  if (!isSame(old[name], fresh[name]) || isSame(current[name], fresh[name])) return;
  if (current[name] === undefined) delete merged[name];
  else merged[name] = current[name];
}

function isSame(one: unknown, other: unknown): boolean {
  return JSON.stringify(one) === JSON.stringify(other);
}

function fieldsOf(definition: StrategyDefinition): Fields {
  return { ...definition };
}

/** What the forms of a draft change. */
const PARTS = [
  'universe',
  'schedule',
  'direction',
  'rule',
  'exits',
  'weighting',
  'regime',
  'basket',
  'band',
] as const;

/** Numbers in parts that the sentences changed otherwise. */
function withNumbers({ before, now, next }: Versions, merged: Fields): Fields {
  const [old, current, fresh] = [before, now, next].map(numbersOf);
  const kept = [...current!].filter(
    ([path, value]) => old!.get(path) !== value && old!.has(path) && fresh!.get(path) === old!.get(path),
  );
  if (kept.length === 0) return merged;
  const copy = JSON.parse(JSON.stringify(merged)) as Fields;
  for (const [path, value] of kept) setAt(copy, path.split('/'), value);
  return copy;
}

function numbersOf(definition: StrategyDefinition): ReadonlyMap<string, number> {
  const found = new Map<string, number>();
  const look = (value: unknown, path: string) => {
    if (typeof value === 'number') found.set(path, value);
    else if (typeof value === 'object' && value !== null)
      for (const [name, one] of Object.entries(value)) look(one, path === '' ? name : `${path}/${name}`);
  };
  look(definition, '');
  return found;
}

/** A place that is gone stays gone. */
function setAt(target: unknown, [name = '', ...rest]: readonly string[], value: number): void {
  if (typeof target !== 'object' || target === null) return;
  const place = target as Fields;
  if (rest.length > 0) setAt(place[name], rest, value);
  else if (typeof place[name] === 'number') place[name] = value;
}
