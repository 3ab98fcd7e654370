import { useHasProvider } from '../../call/installation.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { TextLink } from '../../kit/control/text-link.tsx';
import { StrategyCard } from '../../strategies/list/strategy-card.tsx';
import { useStrategies } from '../../strategies/strategy-queries.ts';
import { FiguresHidden, isFiguresHidden } from '../../strategies/figures-hidden.tsx';

const CONNECT = {
  name: 'Connect a broker',
  text: 'Your money stays in your own brokerage account. You connect it when you deploy.',
  link: { to: '/marketplace', label: 'Start with a strategy' },
};
const CONNECTED = {
  name: 'Use your account',
  text: 'The account of the keys that this installation was started with is connected already.',
  link: { to: '/account?tab=brokers', label: 'See your account' },
};

const stepsFor = (hasProvider: boolean) => [
  {
    name: 'Choose a strategy',
    text: 'Read its record and its weaknesses, and pick one that fits your risk score.',
    link: { to: '/marketplace', label: 'Browse the marketplace' },
  },
  hasProvider ? CONNECT : CONNECTED,
  {
    name: 'Deploy and monitor',
    text: 'Set an amount and your limits, then follow every order. Pause whenever you want.',
    link: { to: '/deployed-strategies', label: 'See deployed strategies' },
  },
];

/** The dashboard of a user without deployments. */
export function GettingStarted({ firstName }: { firstName: string }) {
  const hasProvider = useHasProvider();
  return (
    <div className="grid gap-12">
      <PageTitle
        lead="You have no deployments yet. Getting started takes about ten minutes."
        actions={<ButtonLink to="/marketplace">Deploy Your First Strategy</ButtonLink>}
      >
        Welcome, {firstName}
      </PageTitle>
      <ol className="grid gap-px overflow-hidden rounded-surface border bg-hairline md:grid-cols-3">
        {stepsFor(hasProvider).map((step, index) => (
          <li key={step.name} className="bg-surface p-6">
            <span className="figures text-sm text-ink-faint">Step {index + 1}</span>
            <h2 className="mt-2 font-serif text-lg">{step.name}</h2>
            <p className="mt-2 text-sm text-ink-soft">{step.text}</p>
            <p className="mt-4 text-sm">
              <TextLink to={step.link.to}>{step.link.label}</TextLink>
            </p>
          </li>
        ))}
      </ol>
      <Recommended />
    </div>
  );
}

function Recommended() {
  const strategies = useStrategies();
  const featured = strategies.data?.filter((strategy) => strategy.is_featured);
  if (isFiguresHidden(strategies.error)) return <FiguresHidden error={strategies.error} />;
  if (strategies.isError || featured?.length === 0) return null;
  return (
    <section className="grid gap-6">
      <SectionTitle>Recommended Strategies</SectionTitle>
      <div className="grid gap-6 md:grid-cols-2 lg:grid-cols-3">
        {featured
          ? featured.map((strategy) => <StrategyCard key={strategy.id} strategy={strategy} />)
          : [1, 2, 3].map((place) => <Skeleton key={place} className="h-96" />)}
      </div>
    </section>
  );
}
