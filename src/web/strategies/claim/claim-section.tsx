import type { Claim } from '#contract/strategies/claim.ts';
import { PerformanceChart } from '../../kit/chart/performance-chart.tsx';
import { showCounted, showDate, showPercent } from '../../kit/figure/show-figure.ts';
import { Stat } from '../../kit/figure/stat.tsx';
import { TextureKey } from '../../kit/figure/texture-key.tsx';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Badge } from '../../kit/state/badge.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { useStrategyClaim } from '../strategy-queries.ts';

/** What the provider claims, beside our own record of the same days. Nothing of it is in any figure of ours. */
export function ClaimSection({ id, claim }: { id: string; claim: Claim }) {
  return (
    <section aria-labelledby="claimed-record" className="grid grid-cols-1 gap-6">
      <SectionTitle
        id="claimed-record"
        note={<TextureKey texture="claimed" />}
        aside={
          <Badge tone={claim.agreement.outcome === 'contradicted' ? 'caution' : 'neutral'}>
            {claim.agreement.word}
          </Badge>
        }
      >
        Claimed record
      </SectionTitle>
      <ClaimFacts claim={claim} />
      <ClaimChart id={id} claim={claim} />
    </section>
  );
}

/** Whose word it is, what it says, and how it compares. */
export function ClaimFacts({ claim }: { claim: Claim }) {
  const { agreement } = claim;
  return (
    <div className="grid gap-6">
      <p className="max-w-prose text-ink-soft">
        {claim.label}. Source: {claim.source}. It is about version {claim.version}, from{' '}
        {showDate(claim.first_date)} to {showDate(claim.last_date)}, and was imported on{' '}
        {showDate(claim.imported_at)}. No score, grade or evidence counts it.
        {claim.earlier > 0 &&
          ` ${showCounted(claim.earlier, 'earlier claim')} about this strategy ${claim.earlier === 1 ? 'was' : 'were'} replaced or withdrawn.`}
      </p>
      <Notice
        tone={agreement.outcome === 'contradicted' ? 'caution' : 'info'}
        title={agreement.outcome === 'contradicted' ? 'Our record says something else' : undefined}
      >
        {agreement.sentence}
      </Notice>
      <dl className="grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        <Stat
          label="Claimed return"
          note={claim.annual_return === null ? 'In all, less than a year' : 'A year, by the provider'}
        >
          {showPercent(claim.annual_return ?? claim.total_return, { sign: true, decimals: 1 })}
        </Stat>
        <Stat label="Claimed worst fall" note="By the provider">
          {showPercent(-claim.max_drawdown, { decimals: 1 })}
        </Stat>
        <Stat
          label="Days compared"
          note={
            agreement.from === null || agreement.to === null
              ? 'None in common'
              : `${showDate(agreement.from)} to ${showDate(agreement.to)}`
          }
        >
          {agreement.days}
        </Stat>
        <Stat label="Claimed less measured" note={intervalNote(agreement.difference)}>
          {agreement.difference === null ? '\u2013' : points(agreement.difference.mean)}
        </Stat>
      </dl>
      <details className="text-sm">
        <summary className="font-medium hover:text-accent">How we compare</summary>
        <p className="mt-3 max-w-prose text-ink-soft">{agreement.method}</p>
      </details>
    </div>
  );
}

function intervalNote(difference: Claim['agreement']['difference']): string {
  return difference === null
    ? 'Points a year'
    : `Points a year, from ${points(difference.low)} to ${points(difference.high)}`;
}

const points = (value: number) => showPercent(value, { sign: true, decimals: 1 }).replace('%', '');

function ClaimChart({ id, claim }: { id: string; claim: Claim }) {
  const { data: line, isError, refetch } = useStrategyClaim(id, claim.id);
  if (isError) return <ErrorState title="Failed to load the claimed record" onRetry={() => void refetch()} />;
  if (line === undefined) return <Skeleton className="h-72" />;
  return (
    <PerformanceChart
      title="What $100 became, as claimed"
      note={claim.label}
      labels={line.labels}
      data={line.data}
      benchmark={claim.agreement.days > 0 ? line.own : undefined}
      benchmarkName="Measured by us"
      benchmarkAtEnd="Measured"
      name="Claimed"
      measure="money"
      isGrowth
      texture="claimed"
      rememberAs="claim-range"
      height={220}
    />
  );
}
