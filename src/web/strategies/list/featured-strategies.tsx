import { useHasProvider } from '../../call/installation.ts';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { TextLink } from '../../kit/control/text-link.tsx';
import { StrategyCard } from './strategy-card.tsx';
import { StrategyCardSkeleton } from './strategy-card-skeleton.tsx';
import { useStrategies } from '../strategy-queries.ts';
import { FiguresHidden, isFiguresHidden } from '../figures-hidden.tsx';

/** Every loaded strategy in two columns. When loading fails the list stays empty (specification section 2). */
export function FeaturedStrategies() {
  const { data, isPending, error } = useStrategies();
  const hasProvider = useHasProvider();
  const sorted = (data ?? []).toSorted((a, b) => Number(b.is_featured) - Number(a.is_featured));
  if (isFiguresHidden(error)) return <FiguresHidden error={error} />;
  if (!isPending && sorted.length === 0) return null;
  return (
    <section aria-labelledby="featured">
      <SectionTitle
        id="featured"
        note={
          <>
            Records are backtests, after costs
            {hasProvider && ' and, unless stated otherwise, before the performance fee'}. <Hypothetical />
          </>
        }
        aside={<TextLink to="/marketplace">Search and filter</TextLink>}
      >
        Featured Strategies
      </SectionTitle>
      <ul className="mt-6 grid gap-6 sm:grid-cols-2">
        {isPending &&
          [1, 2, 3, 4].map((place) => (
            <li key={place}>
              <StrategyCardSkeleton />
            </li>
          ))}
        {sorted.map((strategy) => (
          <li key={strategy.id}>
            <StrategyCard strategy={strategy} />
          </li>
        ))}
      </ul>
    </section>
  );
}
