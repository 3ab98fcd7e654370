// What acts on a whole rule, in words: the basket and the band.
import type { Band, Basket } from '#engine/strategy/definition.ts';

/** The list itself is of today: it flatters the past, and says so. */
export function basketWords({ most, length }: Basket): string {
  const those = most === 1 ? 'Only the one' : `Only the ${most}`;
  return `${those} with the highest turnover over ${length} days, chosen where the rules are checked. The list that they are chosen from is of today: what has vanished since is missing, which flatters the past`;
}

export function bandWords({ percent }: Band): string {
  return `A position is left as it is until its share of the money is ${percent} points from its target`;
}
