// Formats the values at an axis uniformly: all get the decimals that any one of them needs.
import { showMoney, showPercent } from '../../figure/show-figure.ts';

/** $10.1K and $10.2K where all are that round, else $10,050 and $10,100. */
export function moneyTicks(values: readonly number[]): readonly string[] {
  const largest = Math.max(...values.map(Math.abs));
  const [unit, letter] = largest >= 1_000_000 ? ([1_000_000, 'M'] as const) : ([1_000, 'K'] as const);
  const decimals = decimalsOf(values.map((value) => value / unit));
  if (largest < 1_000 || decimals > 1) {
    const cents = values.every(Number.isInteger) ? 'never' : 'always';
    return values.map((value) => showMoney(value, { cents }));
  }
  return values.map((value) => (value === 0 ? '$0' : `${showDollars(value / unit, decimals)}${letter}`));
}

/** +5.0%, +7.5%: changes, the one of nothing without a sign. */
export function percentTicks(values: readonly number[]): readonly string[] {
  const decimals = decimalsOf(values);
  return values.map((value) => showPercent(value, { decimals, sign: true }));
}

function showDollars(value: number, decimals: 0 | 1 | 2): string {
  const written = showMoney(value, { cents: decimals === 0 ? 'never' : 'always' });
  return decimals === 1 ? written.slice(0, -1) : written;
}

/** How many decimals the one that needs most needs, at most two. */
function decimalsOf(values: readonly number[]): 0 | 1 | 2 {
  const isWhole = (factor: number) =>
    values.every((value) => Math.abs(value * factor - Math.round(value * factor)) < 1e-6);
  return isWhole(1) ? 0 : isWhole(10) ? 1 : 2;
}
