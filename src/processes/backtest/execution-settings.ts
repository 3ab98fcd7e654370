// How other engines trade one instrument, read from a file, as settings of a backtest. By default there are no costs and
// orders fill at the next open.
import type { BacktestSettings } from '#engine/backtest/settings.ts';
import { flatCosts } from '#engine/market/costs.ts';
import { type DefinitionError, Reader } from '#engine/strategy/parsing/reader.ts';
import { toMicro } from '#units/money.ts';
import { type Quantity, toQuantity } from '#units/quantity.ts';

type ParsedExecution =
  | { readonly ok: true; readonly settings: BacktestSettings }
  | { readonly ok: false; readonly errors: readonly DefinitionError[] };

/** Dollars and units in natural numbers: { initialCash: 10000, commissionRate: 0.001, size: { units: 100 } }. */
export function parseExecution(value: unknown): ParsedExecution {
  const reader = new Reader();
  const given = reader.fields(value, '', FIELDS) ?? {};
  const rate = { min: 0, max: 0.1 };
  const initialCash = reader.number(given['initialCash'], 'initialCash', { min: 1, max: 1e9 });
  const commissionRate = reader.number(given['commissionRate'] ?? 0, 'commissionRate', rate);
  const spreadRate = reader.number(given['spreadRate'] ?? 0, 'spreadRate', rate);
  const fill = reader.oneOf(given['fill'] ?? 'next_open', 'fill', ['next_open', 'same_close']);
  const units = parseUnits(reader, given['size'] ?? 'all_cash');
  if (reader.errors.length > 0) return { ok: false, errors: reader.errors };
  return {
    ok: true,
    settings: {
      initialCash: toMicro(initialCash),
      costs: flatCosts({ commissionRate, slippageRate: spreadRate }),
      limits: { stopLossPercentage: 0, maxAllocationPercent: 0, freezeOnDrawdownPercent: 0 },
      collar: 0,
      noTradeBand: 0,
      fill,
      orders: 'market',
      ...(units === null ? {} : { units }),
    },
  };
}

function parseUnits(reader: Reader, value: unknown): Quantity | null {
  if (value === 'all_cash') return null;
  if (typeof value !== 'object') {
    reader.fail('size', "must be 'all_cash' or an object with the units to trade");
    return null;
  }
  const given = reader.fields(value, 'size', ['units']) ?? {};
  return toQuantity(reader.number(given['units'], 'size.units', { min: 1e-8, max: 9e7 }));
}

const FIELDS = ['initialCash', 'commissionRate', 'spreadRate', 'fill', 'size'];
