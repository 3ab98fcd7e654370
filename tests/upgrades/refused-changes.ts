// What a change of the schema may not do while the last release runs on it: take something away, or refuse what that release writes.
// Promises a line for each such change, in words that a contract of `src/records/schema/migrations.ts` can repeat.
import type { SchemaShape, ShapePart } from './schema-shape.ts';

export function refusedChanges(before: SchemaShape, after: SchemaShape): string[] {
  return [
    ...takenAway(before, after, ['table', 'column', 'function', 'right']),
    ...changedColumns(before, after),
    ...newColumns(before, after),
    ...tightened(before, after),
    ...changedRules(before, after),
  ].toSorted();
}

function takenAway(before: SchemaShape, after: SchemaShape, parts: readonly ShapePart[]): string[] {
  return parts.flatMap((part) =>
    [...before[part].keys()]
      .filter((name) => !after[part].has(name))
      // A table that is gone is one line, not one for each column and right.
      .filter((name) => part === 'table' || part === 'function' || after.table.has(tableOf(name)))
      .map((name) => `${part} ${name} is gone`),
  );
}

function changedColumns(before: SchemaShape, after: SchemaShape): string[] {
  return [...before.column].flatMap(([name, was]) => {
    const is = after.column.get(name);
    if (is === undefined || is === was) return [];
    const [old, now] = [was, is].map(partsOf) as [ColumnParts, ColumnParts];
    const worse: string[] = [];
    if (old.type !== now.type) worse.push(`has another type, ${now.type}`);
    if (now.notNull && !old.notNull) worse.push('must not be null any more');
    if (old.filled && !now.filled) worse.push('is not filled by itself any more');
    if (now.always && !old.always) worse.push('cannot be written any more');
    return worse.map((what) => `column ${name} ${what}`);
  });
}

function newColumns(before: SchemaShape, after: SchemaShape): string[] {
  return [...after.column].flatMap(([name, is]) => {
    if (before.column.has(name) || !before.table.has(tableOf(name))) return [];
    const { notNull, filled } = partsOf(is);
    return notNull && !filled ? [`column ${name} is new and must be written`] : [];
  });
}

/** Constraints and unique indexes that old columns get. One over new columns alone holds for rows that leave them out. */
function tightened(before: SchemaShape, after: SchemaShape): string[] {
  const found: string[] = [];
  for (const part of ['constraint', 'index'] as const)
    for (const [name, is] of after[part]) {
      const table = tableOf(name);
      if (before[part].has(name) || !before.table.has(table)) continue;
      const columns = is
        .split(' ')
        .at(-1)!
        .split(',')
        .filter((column) => column !== '');
      const isOfNew =
        columns.length > 0 && columns.every((column) => !before.column.has(`${table}.${column}`));
      if (isOfNew || isWider(name, before, after)) continue;
      found.push(`${part} ${name} is new`);
    }
  return found;
}

/** A list of words that took the place of one with fewer: everything that was allowed still is. */
function isWider(name: string, before: SchemaShape, after: SchemaShape): boolean {
  const [frame, words] = listOf(name);
  if (words.length === 0) return false;
  return [...before.constraint.keys()].some((old) => {
    if (after.constraint.has(old)) return false;
    const [oldFrame, oldWords] = listOf(old);
    return oldFrame === frame && oldWords.length > 0 && oldWords.every((word) => words.includes(word));
  });
}

/** A check with one list of words as the rest and the words. */
function listOf(name: string): [string, readonly string[]] {
  const list = /ARRAY\[([^\]]*)\]/;
  const matches = name.match(new RegExp(list, 'g')) ?? [];
  if (matches.length !== 1) return [name, []];
  const words = [...(list.exec(name)?.[1] ?? '').matchAll(/'((?:[^']|'')*)'/g)].map(([, word]) => word!);
  return [name.replace(list, 'ARRAY[]'), words];
}

/** What runs with each statement: it cannot be judged by its text. */
function changedRules(before: SchemaShape, after: SchemaShape): string[] {
  const found: string[] = [];
  for (const part of ['trigger', 'function', 'policy'] as const)
    for (const [name, is] of after[part]) {
      const was = before[part].get(name);
      if (was === is) continue;
      if (was !== undefined) found.push(`${part} ${name} is another`);
      else if (part !== 'function' && before.table.has(tableOf(name))) found.push(`${part} ${name} is new`);
    }
  for (const name of before.policy.keys())
    if (!after.policy.has(name) && after.table.has(tableOf(name))) found.push(`policy ${name} is gone`);
  return found;
}

type ColumnParts = ReturnType<typeof partsOf>;

function partsOf(column: string) {
  const always = column.endsWith(' always');
  const rest = column.replace(/ always$/, '');
  const filled = rest.endsWith(' filled');
  const bare = rest.replace(/ filled$/, '');
  return { always, filled, notNull: bare.endsWith(' not null'), type: bare.replace(/ not null$/, '') };
}

/** `own_rows.orders` is a table; `orders.id` is a column. */
function tableOf(name: string): string {
  const first = name.split(' ', 1)[0]!;
  const parts = first.split('.');
  if (parts[0] === 'own_rows') return parts.slice(0, 2).join('.');
  return parts[0]!;
}
