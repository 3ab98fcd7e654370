// Stability: R² of a straight line through the cumulative log returns; 1 is a steady climb or fall. NaN below two
// returns.
import { log } from '../math/log.ts';
import { present } from './returns.ts';

export function stability(returns: Float64Array): number {
  const kept = present(returns);
  const n = kept.length;
  if (n < 2) return Number.NaN;
  let sum = 0;
  const path = kept.map((value) => (sum += log(1 + value)));
  const middle = (n - 1) / 2;
  const average = path.reduce((total, value) => total + value, 0) / n;
  let products = 0;
  let timeSquares = 0;
  let pathSquares = 0;
  for (let i = 0; i < n; i++) {
    products += (i - middle) * (path[i]! - average);
    timeSquares += (i - middle) * (i - middle);
    pathSquares += (path[i]! - average) * (path[i]! - average);
  }
  return (products * products) / (timeSquares * pathSquares);
}
