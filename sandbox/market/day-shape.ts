// What a model decides about one instrument's day; the path of quotes between open and close follows from it.

export type DayShape = {
  readonly logOpen: number;
  readonly logClose: number;
  /** Standard deviation of the log price around the straight way from open to close. */
  readonly deviation: number;
  readonly volume: number;
};

/** How much a day's quotes of one group move together inside the day, 0 to 1. */
export type DayModel = {
  /** Moves on by one trading day of its calendar; days are asked once each, in order. */
  step(day: number): readonly DayShape[];
};
