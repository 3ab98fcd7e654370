// Where two JSON values first differ, named as a place that a person can find.

export type Difference = { readonly place: string; readonly left: string; readonly right: string };

/** Null when they are equal. */
export function firstDifference(left: unknown, right: unknown, place = ''): Difference | null {
  if (Object.is(left, right) || (left === 0 && right === 0)) return null;
  if (!isBranch(left) || !isBranch(right) || Array.isArray(left) !== Array.isArray(right)) {
    return { place, left: textOf(left), right: textOf(right) };
  }
  const [before, after] = [new Map(Object.entries(left)), new Map(Object.entries(right))];
  for (const key of new Set([...before.keys(), ...after.keys()])) {
    const found = firstDifference(before.get(key), after.get(key), place === '' ? key : `${place}.${key}`);
    if (found !== null) return found;
  }
  return null;
}

function isBranch(value: unknown): value is object {
  return typeof value === 'object' && value !== null;
}

function textOf(value: unknown): string {
  return value === undefined ? 'nothing' : isBranch(value) ? 'several values' : String(value);
}
