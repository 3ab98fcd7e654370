type Change = { readonly name: string; readonly text: string };
type Fields = Readonly<Record<string, unknown>>;

/** The details of a row, a field a line: what it was and what it became, or what was written. */
export function changesOf(details: string): readonly Change[] {
  const said = fieldsOf(JSON.parse(details));
  const { from, to, ...others } = said ?? {};
  const [was, became] = [fieldsOf(from) ?? {}, fieldsOf(to) ?? {}];
  const names = [...new Set([...Object.keys(was), ...Object.keys(became)])];
  return [
    ...names.map((name) => ({
      name,
      text: [was, became]
        .filter((side) => name in side)
        .map((side) => show(side[name]))
        .join(' → '),
    })),
    ...Object.entries(others).map(([name, value]) => ({ name, text: show(value) })),
  ];
}

function fieldsOf(value: unknown): Fields | null {
  return typeof value === 'object' && value !== null && !Array.isArray(value) ? (value as Fields) : null;
}

function show(value: unknown): string {
  if (value === null) return 'none';
  return typeof value === 'object' ? JSON.stringify(value) : String(value);
}
