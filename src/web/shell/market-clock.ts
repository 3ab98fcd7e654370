import { useQuery } from '@tanstack/react-query';
import { call } from '../call/call.ts';

const LEAST_MS = 5_000;
const MOST_MS = 60_000;

type MarketClock = {
  /** The product's day, as ISO 8601; null while it is not known. */
  now: string | null;
  /** 'sandbox' and 'replay' are simulated; null while it is not known. */
  mode: string | null;
  /** How late prices of shares are; null while it is not known. */
  delayMinutes: number | null;
};

/** The clock that trading, fees and notifications use, read again about once per market day. */
export function useMarketClock(): MarketClock {
  const health = useQuery({
    queryKey: ['health'],
    queryFn: ({ signal }) => call('getHealth', { signal }),
    refetchInterval: (query) => {
      const seconds = query.state.data?.market.day_seconds ?? 20;
      return Math.min(MOST_MS, Math.max(LEAST_MS, seconds * 1000));
    },
  });
  const { now = null, mode = null, delay_minutes: delayMinutes = null } = health.data?.market ?? {};
  return { now, mode, delayMinutes };
}
