// Directional movement (Wilder, New Concepts in Technical Trading Systems, 1978): +DI, −DI, DX, their Wilder average
// ADX, and ADXR, the mean of ADX now and `window` bars ago. All 0 to 100. DI and DX are first defined `window` bars
// after the first, ADX 2 × window − 1.
import { type HighLowClose, trueRange } from './atr.ts';
import { wilder } from './averages/ema.ts';
import { undefinedColumn } from './window.ts';

export type Adx = {
  readonly plusDi: Float64Array;
  readonly minusDi: Float64Array;
  readonly dx: Float64Array;
  readonly adx: Float64Array;
  readonly adxr: Float64Array;
};

export function adx(bars: HighLowClose, window: number): Adx {
  const { plus, minus } = directionalMovement(bars);
  const range = wilder(trueRange(bars), window);
  const up = wilder(plus, window);
  const down = wilder(minus, window);
  const length = bars.close.length;
  const plusDi = undefinedColumn(length);
  const minusDi = undefinedColumn(length);
  const dx = undefinedColumn(length);
  for (let i = 0; i < length; i++) {
    if (Number.isNaN(range[i]!)) continue;
    plusDi[i] = range[i] === 0 ? 0 : (100 * up[i]!) / range[i]!;
    minusDi[i] = range[i] === 0 ? 0 : (100 * down[i]!) / range[i]!;
    const sum = plusDi[i]! + minusDi[i]!;
    dx[i] = sum === 0 ? 0 : (100 * Math.abs(plusDi[i]! - minusDi[i]!)) / sum;
  }
  const average = wilder(dx, window);
  const rating = undefinedColumn(length);
  for (let i = window; i < length; i++) rating[i] = (average[i]! + average[i - window]!) / 2;
  return { plusDi, minusDi, dx, adx: average, adxr: rating };
}

/** The larger of the rise of the high and the fall of the low, where it is above zero; the other one is zero. */
function directionalMovement({ high, low }: HighLowClose): { plus: Float64Array; minus: Float64Array } {
  const plus = undefinedColumn(high.length);
  const minus = undefinedColumn(high.length);
  for (let i = 1; i < high.length; i++) {
    const rise = high[i]! - high[i - 1]!;
    const fall = low[i - 1]! - low[i]!;
    plus[i] = rise > fall && rise > 0 ? rise : 0;
    minus[i] = fall > rise && fall > 0 ? fall : 0;
  }
  return { plus, minus };
}
