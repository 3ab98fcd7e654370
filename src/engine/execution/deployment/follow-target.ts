// Which deployments follow a newer target now, which intents of an older one are withdrawn first, and at which prices
// it is sized.
import type { OrderId, Symbol, TargetId } from '#units/identifiers.ts';
import { HOUR_MS, type Instant } from '#units/instant.ts';
import { followsStrategy } from '../../lifecycle/effective-status.ts';
import { isPriceTooOld } from '../../market/kinds/price-age.ts';
import type { DeploymentSnapshot } from './deployment-snapshot.ts';
import type { TradingMarket } from './trading-market.ts';

/** Intents of an older target: they are withdrawn before the new one is sized. */
export function supersededIntents(
  snapshots: readonly Pick<DeploymentSnapshot, 'openOrders'>[],
  target: TargetId,
): OrderId[] {
  return snapshots
    .flatMap(({ openOrders }) => openOrders)
    .filter(({ status, targetId }) => status === 'intended' && targetId !== null && targetId !== target)
    .map(({ id }) => id);
}

/** Not while orders of an older target may still fill: they are cancelled first, and the check is repeated. */
export function mayFollow(
  { record, openOrders }: Pick<DeploymentSnapshot, 'record' | 'openOrders'>,
  target: TargetId,
): boolean {
  if (!followsStrategy(record) || record.appliedTargetId === target) return false;
  return !openOrders.some(
    ({ targetId, status }) => targetId !== null && targetId !== target && status !== 'unknown',
  );
}

/**
 * A fresh target is sized at the closes that it was decided on, as in a backtest; a later one at current prices, and so is
 * one whose closes are too old where something has traded since. `closeOf` returns only closes that still compare with
 * current prices.
 */
export function sizingPrices(
  target: { readonly asOf: Instant; readonly weights: readonly { readonly symbol: Symbol }[] },
  universe: readonly Symbol[],
  {
    now,
    speed,
    marks,
    pricedAt,
    instruments,
    closeOf,
  }: SizingPrices &
    Pick<TradingMarket, 'now' | 'instruments'> & {
      readonly speed: number;
      readonly closeOf: (symbol: Symbol, at: Instant) => number | undefined;
    },
): SizingPrices {
  const { asOf } = target;
  if (now - asOf > FRESH_MS) return { marks, pricedAt };
  const sizing = new Map(marks);
  for (const symbol of [...universe, ...target.weights.map((one) => one.symbol)]) {
    const close = closeOf(symbol, asOf);
    if (close === undefined) continue;
    const instrument = instruments.get(symbol);
    if (instrument && isPriceTooOld({ instrument, pricedAt: asOf, now, speed })) return { marks, pricedAt };
    sizing.set(symbol, close);
  }
  return { marks: sizing, pricedAt: asOf };
}

type SizingPrices = Pick<TradingMarket, 'marks' | 'pricedAt'>;

const FRESH_MS = 2 * HOUR_MS;
