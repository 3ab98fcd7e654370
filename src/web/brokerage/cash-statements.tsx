import { useQuery } from '@tanstack/react-query';
import type { CashStatement } from '#contract/brokerage.ts';
import { call } from '../call/call.ts';
import { showDate, showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';

/** The newest cash statement of an account; nothing before the first one. */
export function CashStatements({ connectionId }: { connectionId: string }) {
  const statements = useQuery({
    queryKey: ['cash-statements', connectionId],
    queryFn: ({ signal }) => call('listCashStatements', { params: { id: connectionId }, signal }),
  });
  const [newest] = statements.data ?? [];
  return newest === undefined ? null : <Statement statement={newest} />;
}

function Statement({ statement }: { statement: CashStatement }) {
  const { date, currency, opening, lines, unexplained, closing, taken_at: takenAt } = statement;
  return (
    <section aria-label={`Cash statement of ${showDate(date)}`} className="max-w-md">
      <h4 className="text-sm text-ink-soft">
        Cash on {showDate(date)}, in {currency}
      </h4>
      <dl>
        <StatRow label="Before">{showMoney(opening)}</StatRow>
        {lines.map(({ line, amount }) => (
          <StatRow key={line} label={LINE_LABELS[line]}>
            {showMoney(amount, { sign: true })}
          </StatRow>
        ))}
        {unexplained !== 0 && (
          <StatRow label="Unexplained" note={noteOf(statement)}>
            {showMoney(unexplained, { sign: true })}
          </StatRow>
        )}
        <StatRow label="At your broker" note={`Read ${showDateTime(takenAt)}, market time`}>
          {showMoney(closing)}
        </StatRow>
      </dl>
    </section>
  );
}

function noteOf({ unexplained, is_final: isFinal }: CashStatement): string {
  if (Math.abs(unexplained) <= CENT) return 'Rounding';
  return isFinal
    ? 'Our staff compares it with your broker’s statement'
    : 'Something is under way that may explain it';
}

const CENT = 0.01;

const LINE_LABELS: Readonly<Record<CashStatement['lines'][number]['line'], string>> = {
  trades: 'Trades of your deployments',
  commissions: 'Commissions',
  dividends: 'Dividends',
  swaps: 'Overnight swaps',
  deliveries: 'Expiries and deliveries',
  adjustments: 'Adjustments of the books',
  external_trades: 'Your own trades',
  netting: 'Netting of positions at the broker',
  transfers: 'Deposits and withdrawals',
  interest: 'Interest',
  fees: 'Fees of the broker',
  apart: 'Not attributed',
  conversion: 'Currency conversion',
};
