// Numbers that a person moved by hand stay moved when the rules are changed by sentences, unless the sentences speak of them.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';

type Versions = {
  /** As the words gave it before. */
  readonly before: StrategyDefinition;
  /** As it is now, moved by hand since. */
  readonly now: StrategyDefinition;
  /** As the words give it with the new sentences. */
  readonly next: StrategyDefinition;
};

export function keepTuned({ before, now, next }: Versions): StrategyDefinition {
  const [old, current, fresh] = [before, now, next].map(numbersOf);
  const kept = [...current!].filter(
    ([path, value]) => old!.get(path) !== value && old!.has(path) && fresh!.get(path) === old!.get(path),
  );
  if (kept.length === 0) return next;
  const copy: unknown = JSON.parse(JSON.stringify(next));
  for (const [path, value] of kept) setAt(copy, path.split('/'), value);
  const parsed = parseDefinition(copy);
  return parsed.ok ? parsed.definition : next;
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

function setAt(target: unknown, [name = '', ...rest]: readonly string[], value: number): void {
  const place = target as Record<string, unknown>;
  if (rest.length === 0) place[name] = value;
  else setAt(place[name], rest, value);
}
