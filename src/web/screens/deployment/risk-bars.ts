/** What fills a bar to its whole width (specification section 9). */
const FULL = { volatility: 100, sharpe: 2, drawdown: 40 } as const;

/** The share of its bar that a figure fills, from 0 to 1. A drawdown counts the same with either sign. */
export function filledShare(figure: keyof typeof FULL, value: number): number {
  const size = figure === 'drawdown' ? Math.abs(value) : value;
  return Math.min(1, Math.max(0, size / FULL[figure]));
}
