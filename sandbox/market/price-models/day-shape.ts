// What a model decides about one instrument's day; the path of quotes between open and close follows from it.

export type DayShape = {
  readonly logOpen: number;
  readonly logClose: number;
  /** Standard deviation of the log price around the straight way from open to close. */
  readonly deviation: number;
  readonly volume: number;
};

/** The prices of one kind of instrument, day after day; the shapes come in the order of its catalogue. */
export type DayModel = {
  /** Moves on by one trading day of its calendar; days are asked once each, in order. */
  step(day: number): readonly DayShape[];
};
