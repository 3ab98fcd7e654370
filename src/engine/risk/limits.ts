// The limits that a person sets for a deployment, in percent.

export type Limits = {
  /** A position is sold once it has lost this much of its average cost. 0 is off. */
  readonly stopLossPercentage: number;
  /** One order's resulting position is at most this share of equity. 0 is off. */
  readonly maxAllocationPercent: number;
  /** New exposure stops, for good, once equity has fallen this far from its peak. 0 is off. */
  readonly freezeOnDrawdownPercent: number;
};
