import type { StrategyDraft } from '#contract/strategies/strategy-drafts.ts';
import { Button } from '../../kit/control/button.tsx';
import { LoadingText } from '../../kit/state/loading-text.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { EvidencePanel } from '../../strategies/evidence/evidence-panel.tsx';
import { StrategyChart } from '../../strategies/strategy-chart.tsx';
import { StrategyHeadlines } from '../../strategies/strategy-headlines.tsx';
import { useDraftPerformance, useDraftResult } from '../../strategy-builder/builder-queries.ts';

/** What the rules did on past prices, and in the same breath how far to believe it. */
export function DraftEvidence({ draft, ledger }: { draft: StrategyDraft; ledger: string }) {
  const result = useDraftResult(draft, ledger);
  const performance = useDraftPerformance(draft);
  if (result.isPending || performance.isPending) {
    return (
      <>
        <LoadingText>Loading the result...</LoadingText>
        <Skeleton className="mt-4 h-80" />
      </>
    );
  }
  if (result.isError || performance.isError) {
    const retry = () => void Promise.all([result.refetch(), performance.refetch()]);
    return (
      <Notice
        tone="failure"
        title="The result could not be loaded"
        action={
          <Button size="small" variant="secondary" onClick={retry}>
            Try Again
          </Button>
        }
      >
        Nothing is lost. Please try again shortly.
      </Notice>
    );
  }
  return (
    <div className="grid gap-12">
      <StrategyHeadlines strategy={result.data} />
      <StrategyChart performance={performance.data} />
      <EvidencePanel evidence={result.data.evidence} />
    </div>
  );
}
