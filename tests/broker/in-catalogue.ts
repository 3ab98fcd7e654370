/** The rows of instruments that our catalogue has. The sandbox's habits add trading of the client outside it. */
export function inCatalogue<Row extends { readonly symbol: unknown }>(rows: readonly Row[]): readonly Row[] {
  return rows.filter(({ symbol }) => symbol !== null);
}
