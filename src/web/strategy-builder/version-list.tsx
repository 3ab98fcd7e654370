import type { DraftVersion } from '#contract/strategies/draft-versions.ts';
import { Button } from '../kit/control/button.tsx';
import { type Column, DataTable } from '../kit/figure/data-table.tsx';
import { Hypothetical } from '../kit/figure/hypothetical.tsx';
import { showCount, showDate, showNumber, showPercent } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { useDraftVersions } from './builder-queries.ts';
import type { DraftState } from './draft-state.ts';
import { RuleChanges } from './rule-changes.tsx';

/** What changed from the attempt before to this one, in words and in figures; beneath it all attempts. */
export function VersionList({ state }: { state: DraftState }) {
  const versions = useDraftVersions(state.draft, state.ledger);
  if (versions.isPending) return <LoadingText>Loading the versions...</LoadingText>;
  if (versions.isError)
    return (
      <Notice
        tone="failure"
        action={
          <Button size="small" variant="secondary" onClick={() => void versions.refetch()}>
            Try Again
          </Button>
        }
      >
        The versions could not be loaded. Nothing is lost.
      </Notice>
    );
  const [now, before, ...older] = versions.data;
  if (now === undefined) return null;
  return (
    <div className="grid gap-12">
      <section aria-labelledby="last-attempt" className="grid gap-5">
        <SectionTitle
          id="last-attempt"
          note="Every version that you test is a try. Keeping the best of many finds luck as easily as skill."
        >
          {before ? `What version ${now.version} changed` : 'The first version'}
        </SectionTitle>
        <RuleChanges version={now} before={before} />
        {before && <Figures now={now} before={before} />}
      </section>
      {older.length > 0 && before && (
        <section aria-labelledby="older">
          <SectionTitle id="older">Attempts before</SectionTitle>
          <ol className="mt-4 border-t">
            {[before, ...older].map((version, place, all) => (
              <li key={version.version} className="border-b py-4">
                <p className="flex flex-wrap items-baseline justify-between gap-x-6 gap-y-1">
                  <span className="font-medium">Version {version.version}</span>
                  <span className="figures text-sm text-ink-faint">{inShort(version)}</span>
                </p>
                <RuleChanges version={version} before={all[place + 1]} />
              </li>
            ))}
          </ol>
        </section>
      )}
    </div>
  );
}

function inShort({ committed_at, result }: DraftVersion): string {
  const day = showDate(committed_at);
  if (result === null) return `${day}, not tested`;
  return `${day}, ${showPercent(result.annual_return, { sign: true, decimals: 1 })} a year, Sharpe ratio ${showNumber(result.sharpe_ratio)}`;
}

type Result = NonNullable<DraftVersion['result']>;
type Row = {
  readonly label: string;
  readonly of: (result: Result) => number | null;
  readonly show: (value: number | null) => string;
};

/** Side by side; what was never tested has a dash. */
function Figures({ now, before }: { now: DraftVersion; before: DraftVersion }) {
  const cell = (result: DraftVersion['result'], { of, show }: Row) => (result ? show(of(result)) : '\u2013');
  const columns: readonly Column<Row>[] = [
    { key: 'figure', header: 'Figure', cell: ({ label }) => label },
    {
      key: 'before',
      header: `Version ${before.version}`,
      align: 'right',
      cell: (row) => cell(before.result, row),
    },
    { key: 'now', header: `Version ${now.version}`, align: 'right', cell: (row) => cell(now.result, row) },
  ];
  return (
    <div className="max-w-xl">
      <DataTable
        caption="Figures of both versions"
        columns={columns}
        rows={ROWS}
        rowKey={({ label }) => label}
        wide
      />
      <p className="mt-2 flex flex-wrap items-center gap-x-3 gap-y-1 text-sm text-ink-faint">
        <Hypothetical />
        <span>{daysNote(now.result, before.result)}</span>
      </p>
    </div>
  );
}

function daysNote(now: DraftVersion['result'], before: DraftVersion['result']): string {
  if (now === null || before === null) return 'A version that was not tested has no figures.';
  const isSame = now.first_date === before.first_date && now.last_date === before.last_date;
  return isSame
    ? `Both of ${showDate(now.first_date)} to ${showDate(now.last_date)}.`
    : `Not of the same days: ${showDate(before.first_date)} to ${showDate(before.last_date)}, then ${showDate(now.first_date)} to ${showDate(now.last_date)}.`;
}

const signed = (value: number | null) => showPercent(value, { sign: true, decimals: 1 });

const ROWS: readonly Row[] = [
  { label: 'Return', of: (result) => result.total_return, show: signed },
  { label: 'Return a year', of: (result) => result.annual_return, show: signed },
  { label: 'Sharpe ratio', of: (result) => result.sharpe_ratio, show: (value) => showNumber(value) },
  {
    label: 'Deepest fall',
    of: (result) => result.max_drawdown,
    show: (value) => showPercent(value, { decimals: 1 }),
  },
  { label: 'Trades', of: (result) => result.total_trades, show: (value) => showCount(value) },
];
