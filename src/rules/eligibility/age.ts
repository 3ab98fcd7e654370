// A person's age on a day, by the calendar. Someone born on 29 February has a birthday on 1 March in common years.
import type { IsoDate } from '#units/instant.ts';

/** Specification, section 1. */
export const MINIMUM_AGE = 18;

/** Whole years completed on the day `on`. Negative when the birth is after it. */
export function ageOn(dateOfBirth: IsoDate, on: IsoDate): number {
  const years = Number(on.slice(0, 4)) - Number(dateOfBirth.slice(0, 4));
  return on.slice(5) < dateOfBirth.slice(5) ? years - 1 : years;
}
