// The vendor's form bodies: `a[b][0]=c` is a field within a field.

export type Fields = { [name: string]: string | Fields };

export function parseForm(body: string): Fields {
  const fields: Fields = {};
  for (const [name, value] of new URLSearchParams(body)) put(fields, name, value);
  return fields;
}

/** The text of a field, or of one within it; undefined where there is none. */
export function textOf(fields: Fields, ...path: readonly string[]): string | undefined {
  let at: string | Fields | undefined = fields;
  for (const name of path) at = typeof at === 'object' ? at[name] : undefined;
  return typeof at === 'string' ? at : undefined;
}

export function textsOf(fields: Fields, name: string): Record<string, string> {
  const inner = fields[name];
  if (typeof inner !== 'object') return {};
  return Object.fromEntries(
    Object.entries(inner).filter((one): one is [string, string] => typeof one[1] === 'string'),
  );
}

function put(fields: Fields, name: string, value: string): void {
  const path = name.split('[').map((part) => part.replace(/\]$/, ''));
  let at = fields;
  for (const part of path.slice(0, -1)) {
    const inner = at[part];
    if (typeof inner === 'object') at = inner;
    else at = at[part] = {};
  }
  at[path.at(-1) ?? name] = value;
}
