import { useQuery } from '@tanstack/react-query';
import type { FinalStatement as Stated } from '#contract/fees.ts';
import { UNBILLED } from '#rules/fees/final-statement.ts';
import { call } from '../call/call.ts';
import { showCount, showDate, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { Skeleton } from '../kit/state/skeleton.tsx';
import { DownloadButton } from './download-button.tsx';

/** What became of the money of a deployment that has ended. */
export function FinalStatement({ deploymentId }: { deploymentId: string }) {
  const statement = useQuery({
    queryKey: ['final-statement', deploymentId],
    queryFn: ({ signal }) => call('getFinalStatement', { params: { id: deploymentId }, signal }),
  });
  return (
    <section aria-labelledby="final" className="grid max-w-2xl gap-4">
      <SectionTitle id="final">Final Statement</SectionTitle>
      {statement.isPending && <Skeleton className="h-64" />}
      {statement.isError && (
        <ErrorState
          title="The final statement could not be loaded"
          onRetry={() => void statement.refetch()}
        />
      )}
      {statement.data !== undefined && <Lines statement={statement.data} />}
    </section>
  );
}

function Lines({ statement }: { statement: Stated }) {
  const { owed } = statement;
  return (
    <>
      {!statement.is_billed && <Notice>{UNBILLED}</Notice>}
      <dl>
        <StatRow label="From">
          {showDate(statement.began_at)} to {showDate(statement.ended_at)}
        </StatRow>
        <StatRow label="Executions">{showCount(statement.executions)}</StatRow>
        <StatRow label="Paid in">{showMoney(statement.paid_in)}</StatRow>
        <StatRow label="Taken out">{showMoney(-statement.paid_out)}</StatRow>
        <StatRow label="Realized profit or loss">{showMoney(statement.realized)}</StatRow>
        <StatRow label="Commissions">{showMoney(-statement.commission)}</StatRow>
        <StatRow label="Left at your broker">{showMoney(statement.left)}</StatRow>
        <StatRow label="Performance fees">{showMoney(-statement.fee)}</StatRow>
        {statement.credited > 0 && <StatRow label="Credited">{showMoney(statement.credited)}</StatRow>}
        {owed !== 0 && (
          <StatRow label={owed < 0 ? 'Owed to you' : 'Fees still to pay'}>
            {showMoney(Math.abs(owed))}
          </StatRow>
        )}
        <StatRow label="Left after all fees">{showMoney(statement.kept)}</StatRow>
      </dl>
      <div>
        <DownloadButton name="downloadFinalStatement" id={statement.deployment}>
          Download PDF
        </DownloadButton>
      </div>
    </>
  );
}
