// The plans open over any page by a word in its address. Imports nothing: the header of every page needs it.

/** Opens the plans over this page; `andBack` leads back to it once a plan was chosen. */
export function plansQuery(search: string, andBack = false): string {
  const query = new URLSearchParams(search);
  query.set('plans', andBack ? 'here' : 'open');
  return `?${query}`;
}

export function withoutPlans(search: string): string {
  const query = new URLSearchParams(search);
  query.delete('plans');
  return query.size > 0 ? `?${query}` : '';
}
