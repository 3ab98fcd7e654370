import type { StrategyFilter } from './filter-strategies.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';

export type MarketplaceView = StrategyFilter & {
  readonly sort: string;
  /** 'me': only what is open to whoever is signed in. */
  readonly fit: string;
  /** What the person has to invest, in dollars as typed; empty when they did not say. */
  readonly money: string;
  /** The ids of the strategies that are compared, with commas between them. */
  readonly compare: string;
};

export const EVERYTHING: MarketplaceView = {
  search: '',
  market: 'all',
  risk: 'all',
  type: 'all',
  sort: 'all',
  fit: 'all',
  money: '',
  compare: '',
};

/** What the marketplace shows, kept in the address so that it can be shared and returned to. */
export function useMarketplaceView(): [MarketplaceView, (change: Partial<MarketplaceView>) => void] {
  const [params, setParams] = useSearchParams();
  const view = Object.fromEntries(
    Object.entries(EVERYTHING).map(([key, usual]) => [key, params.get(key) ?? usual]),
  ) as MarketplaceView;
  const change = (part: Partial<MarketplaceView>) => {
    setParams(
      () => {
        const next = new URLSearchParams();
        for (const [key, value] of Object.entries({ ...view, ...part })) {
          if (value !== '' && value !== 'all') next.set(key, value);
        }
        return next;
      },
      { replace: true },
    );
  };
  return [view, change];
}
