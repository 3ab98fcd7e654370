/** Ids as the text of one PostgreSQL array: nothing in them needs quoting, so none is looked at. */
export function idList(ids: readonly string[]): string {
  return `{${ids.join(',')}}`;
}
