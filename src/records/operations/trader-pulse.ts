// What the trader says of its last round with each heartbeat: how long it took, and what the feeds gave it.

/** Prices by what became of them. missing: asked for, and none came. doubted: a second feed shows another. */
export const PRICE_STATES = ['accepted', 'missing', 'refused', 'doubted', 'halted'] as const;
export type PriceState = (typeof PRICE_STATES)[number];

export type TraderPulse = {
  readonly roundMs: number;
  /** Null in a round without an answer of the market. */
  readonly feeds: {
    /** The vendors in the order in which they count; none in a market that is simulated or played again. */
    readonly vendors: readonly string[];
    readonly prices: Readonly<Record<PriceState, number>>;
  } | null;
};

/** As part of a heartbeat's details. */
export function pulseDetails({ roundMs, feeds }: TraderPulse): object {
  return { round_ms: roundMs, feeds };
}

/** Null where the heartbeat is of a version that did not say it. */
export function readPulse(details: object): TraderPulse | null {
  const { round_ms: roundMs, feeds } = details as { round_ms?: number; feeds?: TraderPulse['feeds'] };
  return typeof roundMs === 'number' ? { roundMs, feeds: feeds ?? null } : null;
}
