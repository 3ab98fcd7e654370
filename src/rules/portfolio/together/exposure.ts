// What all deployments of a person hold together, by instrument and by kind.
import type { InstrumentKind } from '#engine/market/instrument.ts';
import { add, type Micro, micro, subtract, ZERO_MICRO } from '#units/money.ts';

export type HeldPosition = {
  readonly ticker: string;
  readonly kind: InstrumentKind;
  /** In dollars, negative for a short position. */
  readonly notional: Micro;
};

/** A running deployment and what it holds. */
export type HeldBy = {
  readonly id: string;
  readonly strategyName: string;
  readonly equity: Micro;
  readonly positions: readonly HeldPosition[];
};

export type Exposure<Of> = {
  readonly of: Of;
  /** Positive, both. */
  readonly long: Micro;
  readonly short: Micro;
  /** Long less short, in percent of the value of all deployments; null when they are worth nothing. */
  readonly netPercent: number | null;
};

export type InstrumentExposure = Exposure<string> & {
  readonly kind: InstrumentKind;
  readonly strategyNames: readonly string[];
};

/** The largest first. */
export function exposureByInstrument(all: readonly HeldBy[]): readonly InstrumentExposure[] {
  const held = all.flatMap(({ strategyName, positions }) =>
    positions.map((one) => ({ ...one, strategyName })),
  );
  const value = valueOf(all);
  return [...Map.groupBy(held, ({ ticker }) => ticker)]
    .map(([of, parts]) => ({
      ...exposureOf(of, parts, value),
      kind: parts[0]!.kind,
      strategyNames: [...new Set(parts.map(({ strategyName }) => strategyName))],
    }))
    .toSorted(largestFirst);
}

export function exposureByKind(all: readonly HeldBy[]): readonly Exposure<InstrumentKind>[] {
  const held = all.flatMap(({ positions }) => positions);
  return [...Map.groupBy(held, ({ kind }) => kind)]
    .map(([of, parts]) => exposureOf(of, parts, valueOf(all)))
    .toSorted(largestFirst);
}

function exposureOf<Of>(of: Of, parts: readonly HeldPosition[], value: Micro): Exposure<Of> {
  const long = add(...parts.map(({ notional }) => (notional > 0 ? notional : ZERO_MICRO)));
  const short = add(...parts.map(({ notional }) => (notional < 0 ? micro(-notional) : ZERO_MICRO)));
  return { of, long, short, netPercent: value > 0 ? (subtract(long, short) * 100) / value : null };
}

function valueOf(all: readonly HeldBy[]): Micro {
  return add(...all.map(({ equity }) => equity));
}

function largestFirst(left: Exposure<unknown>, right: Exposure<unknown>): number {
  return right.long + right.short - left.long - left.short;
}
