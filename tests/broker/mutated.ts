// Corrupts JSON at random places in the ways seen in real answers.
import fc from 'fast-check';

/** The answer as text, after one to three changes of its values and perhaps one of the text. */
export function mutated(original: unknown): fc.Arbitrary<{ readonly text: string }> {
  const change = fc.record({
    at: fc.nat(),
    how: fc.constantFrom(...VALUES),
    extra: fc.jsonValue({ maxDepth: 2 }),
  });
  return fc
    .record({
      changes: fc.array(change, { minLength: 1, maxLength: 3 }),
      cut: fc.nat(),
      spoil: fc.nat({ max: 9 }),
    })
    .map(({ changes, cut, spoil }) => {
      let value = structuredClone(original);
      for (const { at, how, extra } of changes) value = changedAt(value, { at, how, extra });
      const text = JSON.stringify(value) ?? '';
      if (spoil === 0) return { text: text.slice(0, cut % (text.length + 1)) };
      if (spoil === 1) return { text: `<html>${text}</html>` };
      return { text };
    });
}

type Change = { readonly at: number; readonly how: unknown; readonly extra: unknown };

/** Walks to one place of the tree, chosen by `at`, and replaces the value there. */
function changedAt(value: unknown, { at, how, extra }: Change): unknown {
  if (typeof value !== 'object' || value === null || at % 7 === 0) return put(value, how, extra);
  const keys = Object.keys(value);
  const key = keys[at % Math.max(1, keys.length)];
  if (key === undefined) return put(value, how, extra);
  const inner = (value as Record<string, unknown>)[key];
  const next = { at: Math.floor(at / 3), how, extra };
  if (Array.isArray(value)) {
    if (how === 'drop') return value.filter((_, index) => String(index) !== key);
    return value.map((item: unknown, index) => (String(index) === key ? changedAt(inner, next) : item));
  }
  if (how === 'drop' && typeof inner !== 'object')
    return Object.fromEntries(Object.entries(value).filter(([name]) => name !== key));
  return { ...value, [key]: changedAt(inner, next) };
}

function put(value: unknown, how: unknown, extra: unknown): unknown {
  if (how === 'anything') return extra;
  if (how === 'huge') return typeof value === 'number' ? value * 1e30 : `${written(value)}e30`;
  if (how === 'negative') return typeof value === 'number' ? -value : `-${written(value)}`;
  if (how === 'list') return [value];
  return how === 'drop' ? undefined : how;
}

function written(value: unknown): string {
  return typeof value === 'string' ? value : JSON.stringify(value);
}

const VALUES = [
  'anything',
  'drop',
  'huge',
  'negative',
  'list',
  null,
  '',
  0,
  -1,
  0.1,
  1e308,
  'NaN',
  'Infinity',
  '1,300.5',
  '0x10',
  true,
  [],
  {},
  // What JSON may hold and no text can be made of.
  { toString: false, valueOf: 1 },
] as const;

export function parsed(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return undefined;
  }
}
