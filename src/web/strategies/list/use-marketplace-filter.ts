import type { StrategyFilter } from './filter-strategies.ts';
import { useSearchParams } from '../../kit/page/use-search-params.ts';

/** The marketplace's filters, kept in the address so that they can be shared and returned to. */
export function useMarketplaceFilter(): [StrategyFilter, (change: Partial<StrategyFilter>) => void] {
  const [params, setParams] = useSearchParams();
  const filter: StrategyFilter = {
    search: params.get('search') ?? '',
    market: params.get('market') ?? 'all',
    risk: params.get('risk') ?? 'all',
    type: params.get('type') ?? 'all',
  };
  const change = (part: Partial<StrategyFilter>) => {
    setParams(
      () => {
        const next = new URLSearchParams();
        for (const [key, value] of Object.entries({ ...filter, ...part })) {
          if (value !== '' && value !== 'all') next.set(key, value);
        }
        return next;
      },
      { replace: true },
    );
  };
  return [filter, change];
}
