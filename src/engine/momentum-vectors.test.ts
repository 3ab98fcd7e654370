// Cross-sectional momentum of an independent engine on real series, from the `shared` folder beside the project;
// skipped where it is absent. Traded by the product's own backtest: step, budget and average cost included.
import { describe, expect, it } from 'vitest';
import { expectAgreement } from '../../tests/vectors/expect-agreement.ts';
import {
  comparePortfolio,
  momentumPortfolios,
  publishedSelections,
  runPortfolio,
} from '../../tests/vectors/momentum-cases.ts';

const PORTFOLIOS = momentumPortfolios();

describe.skipIf(PORTFOLIOS.length === 0)("an independent engine's momentum portfolios", () => {
  it.each(PORTFOLIOS.map((one) => [one.id, one] as const))('%s', { timeout: 60_000 }, (_, one) => {
    const run = runPortfolio(one);
    expect(run.selections).toEqual(publishedSelections(one));
    expectAgreement(comparePortfolio(one, run));
  });
});
