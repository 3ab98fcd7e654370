import type { Portfolio as Together } from '#contract/portfolio.ts';
import { ButtonLink } from '../../kit/control/button-link.tsx';
import { Link } from '../../kit/control/link.tsx';
import { showDateTime, showMoney } from '../../kit/figure/show-figure.ts';
import { Stat } from '../../kit/figure/stat.tsx';
import { AfterFirstFigures } from '../../kit/page/after-first-figures.tsx';
import { PageTitle } from '../../kit/page/page-title.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { usePageTitle } from '../../kit/page/use-page-title.ts';
import { EmptyState } from '../../kit/state/empty-state.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { DrawdownGauge } from '../../portfolio/drawdown-gauge.tsx';
import { InstrumentExposure, KindExposure } from '../../portfolio/exposure-list.tsx';
import { LikenessTable } from '../../portfolio/likeness-table.tsx';
import { usePortfolio } from '../../portfolio/portfolio-queries.ts';

/** All deployments together: what they hold, how alike they are, and how far they have fallen. */
export function Portfolio() {
  usePageTitle('Portfolio');
  const portfolio = usePortfolio();
  const { data } = portfolio;
  return (
    <div className="grid gap-10">
      <PageTitle
        lead="All your deployments together. Practice money is in none of it."
        actions={
          <ButtonLink to="/statements" variant="secondary">
            Statements
          </ButtonLink>
        }
      >
        Portfolio
      </PageTitle>
      {data === undefined ? (
        portfolio.isError ? (
          <ErrorState title="Failed to load your portfolio" onRetry={() => void portfolio.refetch()} />
        ) : (
          <div className="min-h-screen">
            <LoadingText>Loading your portfolio...</LoadingText>
          </div>
        )
      ) : data.deployments.length === 0 ? (
        <EmptyState
          title="Nothing is deployed"
          action={<ButtonLink to="/marketplace">Find a strategy</ButtonLink>}
        >
          What your strategies hold together will be here.
        </EmptyState>
      ) : (
        <Shown portfolio={data} />
      )}
    </div>
  );
}

function Shown({ portfolio }: { portfolio: Together }) {
  const { value, drawdown, stated_maximum_percent: stated, by_kind, by_instrument, pairs } = portfolio;
  return (
    <>
      <section
        aria-label="Value and drawdown"
        className="grid gap-8 border-y py-8 lg:grid-cols-[minmax(18rem,1fr)_2fr]"
      >
        <Value portfolio={portfolio} />
        {drawdown !== null && stated !== null ? (
          <DrawdownGauge drawdown={drawdown} stated={stated} value={value} />
        ) : (
          <p className="text-ink-soft">
            {drawdown === null ? (
              'The drawdown follows after the second day.'
            ) : (
              <>
                Say how large a fall you can bear, and it will be compared here.{' '}
                <Link to="/account" className="text-accent hover:underline">
                  Take the risk assessment
                </Link>
              </>
            )}
          </p>
        )}
      </section>
      <AfterFirstFigures>
        <div className="grid gap-x-16 gap-y-10 lg:grid-cols-2">
          <section aria-labelledby="by-kind" className="grid content-start gap-2">
            <SectionTitle id="by-kind" note="Long less short, in percent of the whole value.">
              Exposure by kind
            </SectionTitle>
            {by_kind.length === 0 ? <AllCash /> : <KindExposure kinds={by_kind} />}
          </section>
          <section aria-labelledby="by-instrument" className="grid content-start gap-2">
            <SectionTitle id="by-instrument" note="What several strategies hold is marked.">
              Exposure by instrument
            </SectionTitle>
            {by_instrument.length === 0 ? <AllCash /> : <InstrumentExposure instruments={by_instrument} />}
          </section>
        </div>
        {pairs.length > 0 && (
          <section aria-labelledby="alike" className="grid gap-4">
            <SectionTitle
              id="alike"
              note="Correlation of daily returns: 1 moves alike, 0 is unrelated, below 0 moves against. Overlap: how much of the smaller one’s positions the other holds too, on the same side."
            >
              How alike they are
            </SectionTitle>
            <LikenessTable portfolio={portfolio} />
          </section>
        )}
      </AfterFirstFigures>
    </>
  );
}

function Value({ portfolio: { value, as_of, cash, by_kind } }: { portfolio: Together }) {
  const whole = (amount: number) => showMoney(amount, { cents: 'never' });
  const long = by_kind.reduce((sum, one) => sum + one.long, 0);
  const short = by_kind.reduce((sum, one) => sum + one.short, 0);
  return (
    <div>
      <dl>
        <Stat
          label="Value"
          size="large"
          note={`${whole(long)} long, ${whole(short)} short, ${whole(cash)} cash`}
        >
          {showMoney(value)}
        </Stat>
      </dl>
      {as_of !== null && <p className="mt-3 text-xs text-ink-faint">{showDateTime(as_of)}</p>}
    </div>
  );
}

function AllCash() {
  return <p className="py-2.5 text-sm text-ink-soft">Everything is in cash.</p>;
}
