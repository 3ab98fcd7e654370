// What a vendor says of an instrument, each with the day it holds from. A fact holds until a later one of its kind; nothing is
// overwritten, so that what was known on a day can be read again.
import type { Symbol } from '#units/identifiers.ts';
import type { IsoDate } from '#units/instant.ts';

/**
 * ticker: the vendor's name of the instrument. vendor_id: the vendor's own key. calendar: of its exchange, a CalendarId.
 * listing: 'listed', 'ended' where the vendor lists it no more, or 'reused' where its ticker is another company's.
 * fractionable, shortable, tradable: 'true' or 'false'.
 */
export const FACT_KINDS = [
  'ticker',
  'name',
  'exchange',
  'calendar',
  'vendor_id',
  'listing',
  'fractionable',
  'shortable',
  'tradable',
] as const;
export type FactKind = (typeof FACT_KINDS)[number];

export type StatedFact = { readonly symbol: Symbol; readonly kind: FactKind; readonly value: string };

/** `from`: the first day it holds. */
export type InstrumentFact = StatedFact & { readonly from: IsoDate };

/** The fact of a kind on a day; undefined before the first. */
export function factOn(
  facts: readonly InstrumentFact[],
  { symbol, kind, date }: { readonly symbol: Symbol; readonly kind: FactKind; readonly date: IsoDate },
): InstrumentFact | undefined {
  let found: InstrumentFact | undefined;
  for (const fact of facts) {
    if (fact.symbol !== symbol || fact.kind !== kind || fact.from > date) continue;
    if (found === undefined || fact.from >= found.from) found = fact;
  }
  return found;
}

/**
 * Whether the vendor's key of an instrument is another one under the same ticker: the ticker was given to another company, and
 * no rename says what ours is called now.
 */
export function isAnotherCompany(
  known: readonly InstrumentFact[],
  { symbol, vendorId, date }: { readonly symbol: Symbol; readonly vendorId: string; readonly date: IsoDate },
): boolean {
  const id = factOn(known, { symbol, kind: 'vendor_id', date });
  const ticker = factOn(known, { symbol, kind: 'ticker', date });
  return id !== undefined && id.value !== vendorId && (ticker === undefined || id.from >= ticker.from);
}

/** Of what is said today, what differs from what is known for today. Of another company’s nothing is ours but its having our ticker. */
export function newFacts(
  known: readonly InstrumentFact[],
  stated: readonly StatedFact[],
  today: IsoDate,
): readonly InstrumentFact[] {
  const others = new Set(
    stated
      .filter(({ kind }) => kind === 'vendor_id')
      .filter(({ symbol, value }) => isAnotherCompany(known, { symbol, vendorId: value, date: today }))
      .map(({ symbol }) => symbol),
  );
  const reused = [...others].map((symbol) => ({ symbol, kind: 'listing', value: 'reused' }) as const);
  return [...stated.filter(({ symbol }) => !others.has(symbol)), ...reused]
    .filter(({ symbol, kind, value }) => factOn(known, { symbol, kind, date: today })?.value !== value)
    .map((fact) => ({ ...fact, from: today }));
}
