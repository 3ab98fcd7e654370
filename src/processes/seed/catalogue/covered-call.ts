type CoveredCall = { readonly shares: readonly string[]; readonly benchmark: string };

/** Holds the shares always, in equal parts, and sells a call 2% above the price on each hundred of them. */
export function coveredCallOn({ shares, benchmark }: CoveredCall) {
  return {
    universe: shares,
    benchmark,
    direction: 'long_short',
    rule: {
      type: 'signals',
      enterLong: { op: 'above', left: 'close', right: 0 },
      exitLong: { op: 'below', left: 'close', right: 0 },
    },
    weighting: { type: 'equal', over: 'universe' },
    gross: 0.95,
    options: { structure: 'covered_call', underlyings: shares, strikePercent: 102 },
  } as const;
}
