// Annual turnover: the smaller of all purchases and all sales, over average equity, per year (the definition of US Form
// N-1A, item 13, for funds). 1 means that the whole portfolio was replaced once a year.

export type TurnoverFacts = {
  /** Sums of absolute notional, in the unit of equity. */
  readonly bought: number;
  readonly sold: number;
  readonly averageEquity: number;
  readonly bars: number;
  readonly barsPerYear: number;
};

export function annualTurnover(facts: TurnoverFacts): number {
  const years = facts.bars / facts.barsPerYear;
  return Math.min(facts.bought, facts.sold) / facts.averageEquity / years;
}
