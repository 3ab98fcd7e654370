// The reasons that come from what acts on the whole rule: the regime, the basket, sizes by conviction, and the band.
import { instant } from '#units/instant.ts';
import { lastClosedIndex } from '../align.ts';
import type { CompiledDefinition } from '../compile-definition.ts';
import { barAt } from '../prepare.ts';
import { membershipOf } from '../targets/basket.ts';
import { conditionTests, finite } from './condition-tests.ts';
import type { TargetReason } from './target-reason.ts';

/** By instrument: whether the rule counts at all, and whether the instrument takes part in it. */
export function wholeReasons(compiled: CompiledDefinition): readonly (readonly TargetReason[])[] {
  const regime = regimeReason(compiled);
  const baskets = basketReasons(compiled);
  return compiled.prepared.instruments.map((_, s) => [
    ...(regime === null ? [] : [regime]),
    ...(baskets === null ? [] : [baskets[s]!]),
  ]);
}

function regimeReason({ prepared, table }: CompiledDefinition): TargetReason | null {
  const { timeline, regime: read } = prepared;
  const { regime } = prepared.definition;
  const found = table.regime;
  if (regime === undefined || read === undefined || found === undefined || found.row < 0) return null;
  const at = timeline[found.row]!;
  const bar = lastClosedIndex(Float64Array.of(at), read.bars.closedAt)[0]!;
  return {
    code: 'regime',
    symbol: regime.symbol,
    holds: found.holds,
    otherwise: regime.otherwise.type === 'cash' ? 'cash' : 'rule',
    tests: conditionTests(regime.when, { ...read, bar }),
    at: instant(at),
  };
}

/** As the basket was chosen last. */
function basketReasons({ prepared }: CompiledDefinition): readonly TargetReason[] | null {
  const { basket } = prepared.definition;
  const membership = membershipOf(prepared);
  const row = prepared.scheduled.lastIndexOf(1);
  if (basket === undefined || membership === null || row < 0) return null;
  const order = membership.orderAt(row);
  const at = instant(prepared.timeline[row]!);
  return prepared.instruments.map((_, s): TargetReason => {
    const place = order.indexOf(s) + 1;
    const turnover = finite(membership.turnoverAt(s, row));
    return { code: 'basket', turnover, place: place === 0 ? null : place, most: basket.most, at };
  });
}

/** Of what is held, as it was sized last. */
export function convictionReason(
  { prepared, table }: CompiledDefinition,
  s: number,
): readonly TargetReason[] {
  const { weighting } = prepared.definition;
  const line = table.count - 1;
  if (weighting.type !== 'conviction' || line < 0) return [];
  if (table.weights[line * table.symbols.length + s] === 0) return [];
  const row = table.rows[line]!;
  const instrument = prepared.instruments[s]!;
  const bar = barAt(instrument, row);
  const value = bar < 0 ? null : finite(instrument.features.valueAt(weighting.by, bar));
  if (value === null) return [];
  const { by, maxPercent = null } = weighting;
  return [{ code: 'conviction', by, value, maxPercent, at: instant(prepared.timeline[row]!) }];
}

/** Where the last target would have moved it by less than the band. */
export function bandReason({ prepared, table }: CompiledDefinition, s: number): readonly TargetReason[] {
  const { band } = prepared.definition;
  const reading = table.band;
  if (band === undefined || reading === undefined) return [];
  const [wanted, held] = [reading.wanted[s]!, reading.held[s]!];
  const isKept = wanted !== held && wanted * held > 0 && Math.abs(wanted - held) < band.percent / 100;
  return isKept
    ? [{ code: 'band', percent: band.percent, wanted, held, at: instant(prepared.timeline[reading.row]!) }]
    : [];
}
