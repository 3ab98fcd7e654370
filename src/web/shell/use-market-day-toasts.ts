import { useEffect, useRef } from 'react';
import { showDate } from '../kit/figure/show-figure.ts';
import { showToast } from '../kit/overlay/toast.ts';
import { useMarketClock } from './market-clock.ts';

/** Says each new day of the market, to those who want market updates. */
export function useMarketDayToasts(wanted: boolean): void {
  const day = useMarketClock().now?.slice(0, 10) ?? null;
  const last = useRef<string | null>(null);
  useEffect(() => {
    const before = last.current;
    last.current = day;
    if (!wanted || day === null || before === null || before === day) return;
    showToast({ title: 'A new market day', message: showDate(day), place: 'market' });
  }, [day, wanted]);
}
