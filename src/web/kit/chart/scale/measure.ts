import { showCounted, showMoney, showPercent } from '../../figure/show-figure.ts';

type Ends = { readonly from: number | null | undefined; readonly to: number | null | undefined };

/** From one value to another, in words; 'percent' values are changes since one beginning, 'money' ones are amounts. */
export function showBetween({ from, to }: Ends, unit: 'percent' | 'money'): string {
  if (typeof from !== 'number' || typeof to !== 'number') return '–';
  if (unit === 'percent') return showPercent(((1 + to / 100) / (1 + from / 100) - 1) * 100, { sign: true });
  const share = from > 0 ? ` (${showPercent((to / from - 1) * 100, { sign: true })})` : '';
  return `${showMoney(to - from, { cents: 'never', sign: true })}${share}`;
}

export function showDays(from: string, to: string): string {
  return showCounted(Math.round((Date.parse(to) - Date.parse(from)) / 86_400_000), 'day');
}
