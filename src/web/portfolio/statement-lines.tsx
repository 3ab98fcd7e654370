import type { Statement } from '#contract/portfolio.ts';
import { STATEMENT_WORDS } from '#rules/portfolio/statement/statement-text.ts';
import { Change } from '../kit/figure/change.tsx';
import { showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';

type Figures = Statement['total'];

/** From the value at the start to the value at the end, line by line: they sum. */
export function StatementLines({ figures }: { figures: Figures }) {
  return (
    <dl>
      <StatRow label={STATEMENT_WORDS.startValue}>{showMoney(figures.start_value)}</StatRow>
      {LINES.filter(({ key, isAlways }) => isAlways || figures[key] !== 0).map(({ key, words, isResult }) => (
        <StatRow key={key} label={words}>
          {isResult ? <Change value={figures[key]} unit="money" /> : showMoney(figures[key], { sign: true })}
        </StatRow>
      ))}
      <StatRow label={<span className="font-medium text-ink">{STATEMENT_WORDS.endValue}</span>}>
        <span className="font-medium">{showMoney(figures.end_value)}</span>
      </StatRow>
    </dl>
  );
}

type Line = {
  readonly key: keyof Figures;
  readonly words: string;
  readonly isAlways: boolean;
  /** A gain or a loss; else money that only moved. */
  readonly isResult: boolean;
};

const LINES: readonly Line[] = [
  { key: 'money_in', words: STATEMENT_WORDS.moneyIn, isAlways: true, isResult: false },
  { key: 'money_out', words: STATEMENT_WORDS.moneyOut, isAlways: true, isResult: false },
  { key: 'income', words: STATEMENT_WORDS.income, isAlways: true, isResult: true },
  { key: 'financing', words: STATEMENT_WORDS.financing, isAlways: false, isResult: true },
  { key: 'realized_gains', words: STATEMENT_WORDS.realizedGains, isAlways: true, isResult: true },
  { key: 'unrealized_change', words: STATEMENT_WORDS.unrealizedChange, isAlways: true, isResult: true },
  { key: 'costs', words: STATEMENT_WORDS.costs, isAlways: true, isResult: true },
  { key: 'performance_fees', words: STATEMENT_WORDS.performanceFees, isAlways: false, isResult: false },
  { key: 'invoiced_apart', words: STATEMENT_WORDS.invoicedApart, isAlways: false, isResult: false },
  { key: 'corrections', words: STATEMENT_WORDS.corrections, isAlways: false, isResult: true },
  { key: 'residual', words: STATEMENT_WORDS.residual, isAlways: false, isResult: false },
];
