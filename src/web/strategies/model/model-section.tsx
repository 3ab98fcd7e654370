import { useHasProvider } from '../../call/installation.ts';
import type { ReactNode } from 'react';
import type { Strategy } from '#contract/strategies/strategies.ts';
import { type Column, DataTable } from '../../kit/figure/data-table.tsx';
import { ErrorState } from '../../kit/state/error-state.tsx';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { showCount, showDate, showNumber, showPercent } from '../../kit/figure/show-figure.ts';
import { Skeleton } from '../../kit/state/skeleton.tsx';
import { type CardFigures, type ModelCard, useModelCard } from './use-model-card.ts';

/** The card of a strategy's model: inputs, training and weaknesses. */
export function ModelSection({ strategy }: { strategy: Strategy }) {
  const card = useModelCard(strategy.id);
  if (card.isPending) return <Skeleton className="h-96" />;
  if (card.isError) {
    return <ErrorState title="Failed to load the model card" onRetry={() => void card.refetch()} />;
  }
  if (card.data === null) return <p className="text-ink-soft">These rules use no trained model.</p>;
  return <Card card={card.data} strategy={strategy} />;
}

function Card({ card, strategy }: { card: ModelCard; strategy: Strategy }) {
  return (
    <div className="grid grid-cols-1 gap-8 pb-8">
      <p className="prose-width text-ink-soft">
        {card.method} It predicts {card.predicts}.
      </p>
      <div className="grid gap-x-12 gap-y-8 lg:grid-cols-2">
        <Part title="Known weaknesses">
          <ul className="grid gap-2.5 text-sm text-ink-soft">
            {card.weaknesses.map((weakness) => (
              <li key={weakness} className="border-t pt-2.5">
                {weakness}
              </li>
            ))}
          </ul>
        </Part>
        <Part title="Inputs">
          <p className="mb-3 text-sm text-ink-faint">
            {card.scaling === 'cross_section'
              ? 'Each in standard deviations from the average of all instruments at the same close.'
              : 'Each is used unchanged.'}
          </p>
          <ul className="grid gap-x-6 text-sm sm:grid-cols-2">
            {card.features.map(({ name, ...feature }) => (
              <li key={name} className="border-t py-2">
                <code className="font-mono text-xs text-ink">{name}</code>
                <span className="block text-xs text-ink-faint">{describe(feature)}</span>
              </li>
            ))}
          </ul>
        </Part>
      </div>
      <Part title="Training, year by year">
        <p className="prose-width mb-3 text-sm text-ink-faint">
          {card.data} Each model learns from all outcomes known {card.embargoDays} days before its first day
          and scores the days until the next one begins. An outcome is the return from the next open to the
          open {card.horizonBars} bars later.
        </p>
        <DataTable
          caption="Training windows"
          columns={WINDOWS}
          rows={card.windows}
          rowKey={({ scoresFrom }) => scoresFrom}
        />
      </Part>
      <Result card={card} strategyName={strategy.name} committedAt={strategy.evidence.out_of_sample.from} />
      <p className="text-sm text-ink-faint">
        <a href={`/models/${card.name}/card.md`} download className="text-accent hover:underline">
          Download the card
        </a>
      </p>
    </div>
  );
}

function Result({
  card,
  strategyName,
  committedAt,
}: {
  card: ModelCard;
  strategyName: string;
  committedAt: string;
}) {
  const hasProvider = useHasProvider();
  const { strategy, holdingTheUniverse } = card.outOfSample;
  const columns: readonly Column<FigureRow>[] = [
    { key: 'name', header: 'Measure', cell: (row) => row.name },
    { key: 'own', header: strategyName, align: 'right', cell: (row) => row.show(strategy) },
    {
      key: 'held',
      header: 'Equal-weight portfolio',
      align: 'right',
      cell: (row) => row.show(holdingTheUniverse),
    },
  ];
  return (
    <Part title="Result on days that the model had not seen" aside={<Hypothetical />}>
      <p className="prose-width mb-3 text-sm text-ink-faint">
        {showDate(strategy.from)} to {showDate(strategy.to)}, after commission and slippage
        {hasProvider && ', before the performance fee'}. The weights knew none of these days; the method and
        the rules were chosen with them, so for the evidence above they are in-sample. Unseen data begins on{' '}
        {showDate(committedAt)}.
      </p>
      <DataTable
        caption="Result of the model"
        columns={columns}
        rows={FIGURES}
        rowKey={({ name }) => name}
        wide
      />
    </Part>
  );
}

type FigureRow = { readonly name: string; readonly show: (figures: CardFigures) => string };

const FIGURES: readonly FigureRow[] = [
  { name: 'Annual return', show: (one) => showPercent(one.annualReturnPercent) },
  { name: 'Annualized volatility', show: (one) => showPercent(one.volatilityPercent) },
  { name: 'Sharpe ratio', show: (one) => showNumber(one.sharpeRatio) },
  {
    name: 'Max drawdown',
    show: (one) => showPercent(one.maxDrawdownPercent === null ? null : -Math.abs(one.maxDrawdownPercent)),
  },
  { name: 'Trades', show: (one) => showCount(one.trades) },
];

type Window = ModelCard['windows'][number];

const WINDOWS: readonly Column<Window>[] = [
  { key: 'from', header: 'Scores from', cell: (row) => showDate(row.scoresFrom) },
  {
    key: 'bars',
    header: 'Trained on bars',
    cell: (row) => `${showDate(row.trainedOnBarsFrom)} to ${showDate(row.trainedOnBarsTo)}`,
  },
  { key: 'rows', header: 'Rows', align: 'right', cell: (row) => showCount(row.trainedOnRows) },
  {
    key: 'correlation',
    header: 'Correlation with what followed',
    align: 'right',
    cell: (row) => showNumber(row.correlationAfterwards, 3),
  },
  { key: 'judged', header: 'Scores judged', align: 'right', cell: (row) => showCount(row.scoresJudged) },
];

function Part({ title, aside, children }: { title: string; aside?: ReactNode; children: ReactNode }) {
  return (
    <section aria-label={title} className="min-w-0">
      <div className="mb-3 flex items-baseline justify-between gap-4">
        <h3 className="text-base font-medium">{title}</h3>
        {aside}
      </div>
      {children}
    </section>
  );
}

/** 'roc, length 21, symbol BTCUSD'. */
function describe(feature: Readonly<Record<string, unknown>>): string {
  return Object.entries(feature)
    .map(([name, value]) => (name === 'indicator' ? String(value) : `${name} ${String(value)}`))
    .join(', ');
}
