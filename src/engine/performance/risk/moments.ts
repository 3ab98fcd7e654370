// Skewness and kurtosis of a sample, population moments (divided by n); kurtosis is not in excess: 3 for a normal
// distribution (Bailey & López de Prado, The Sharpe Ratio Efficient Frontier, 2012, use these). NaN when nothing
// varied.
import { mean, present } from '../returns.ts';

export type Moments = { readonly skewness: number; readonly kurtosis: number };

export function moments(returns: Float64Array): Moments {
  const kept = present(returns);
  const average = mean(kept);
  let second = 0;
  let third = 0;
  let fourth = 0;
  for (const value of kept) {
    const away = value - average;
    const square = away * away;
    second += square;
    third += square * away;
    fourth += square * square;
  }
  const variance = second / kept.length;
  return {
    skewness: third / kept.length / (variance * Math.sqrt(variance)),
    kurtosis: fourth / kept.length / (variance * variance),
  };
}
