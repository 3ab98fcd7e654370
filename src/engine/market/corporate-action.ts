// Splits and dividends as events separate from raw bars, and the split-adjusted bars that follow from both. Raw bars
// are never changed: adjusting makes new ones.
import type { IsoDate } from '#units/instant.ts';
import type { Bar } from './instrument.ts';

export type CorporateAction = {
  readonly kind: 'split' | 'dividend';
  /** The first day that trades without the old shares or the dividend. */
  readonly exDate: IsoDate;
  /** split: new shares per old, 7 for a 7:1 split. dividend: cash per share. */
  readonly amount: number;
};

/** The actions up to a trading day; none before the first. */
export function actionsUntil(
  actions: readonly CorporateAction[],
  date: IsoDate | undefined,
): readonly CorporateAction[] {
  return date === undefined ? [] : actions.filter(({ exDate }) => exDate <= date);
}

/** Dividends per share of today: what was paid for one share before a split was paid for several since. */
export function dividendsForSplits(actions: readonly CorporateAction[]): CorporateAction[] {
  const splits = actions.filter(({ kind }) => kind === 'split');
  return actions
    .filter(({ kind }) => kind === 'dividend')
    .map((dividend) => {
      const later = splits.filter(({ exDate }) => exDate > dividend.exDate);
      return { ...dividend, amount: later.reduce((amount, split) => amount / split.amount, dividend.amount) };
    });
}

/** Bars as if every share had always been one of today's: prices before a split divided by its ratio, volume multiplied. */
export function adjustForSplits(bars: readonly Bar[], actions: readonly CorporateAction[]): Bar[] {
  const splits = actions
    .filter((action) => action.kind === 'split')
    .toSorted((a, b) => (a.exDate < b.exDate ? 1 : -1));
  const adjusted: Bar[] = [];
  let ratio = 1;
  let next = 0;
  for (let i = bars.length - 1; i >= 0; i--) {
    const bar = bars[i]!;
    while (next < splits.length && bar.date < splits[next]!.exDate) ratio *= splits[next++]!.amount;
    adjusted.push(
      ratio === 1
        ? bar
        : {
            ...bar,
            open: bar.open / ratio,
            high: bar.high / ratio,
            low: bar.low / ratio,
            close: bar.close / ratio,
            volume: bar.volume * ratio,
          },
    );
  }
  return adjusted.toReversed();
}
