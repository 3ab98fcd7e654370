import type { FeeBill } from '#contract/fees.ts';
import { showDate, showMoney, showPercent } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { showFeePeriod } from './show-fee-period.ts';

/** From the opening mark to the fee, in the order in which it is computed. */
export function FeeBillFigures({ bill }: { bill: FeeBill }) {
  return (
    <dl>
      <StatRow label="Period" note={bill.is_closing ? 'Final period: the deployment has closed' : undefined}>
        {showFeePeriod(bill)}
      </StatRow>
      <StatRow label="Opening high-water mark" note={openingNote(bill)}>
        {showMoney(bill.opening_high_water_mark)}
      </StatRow>
      {bill.net_flow !== 0 && (
        <>
          <StatRow label={bill.net_flow > 0 ? 'Put in' : 'Taken out'} note="During the period, on balance">
            {showMoney(Math.abs(bill.net_flow))}
          </StatRow>
          {bill.worth_before_withdrawal !== null && (
            <StatRow label="Value before the first withdrawal">
              {showMoney(bill.worth_before_withdrawal)}
            </StatRow>
          )}
          <StatRow label="High-water mark after that" note="What the profit is measured from">
            {showMoney(bill.adjusted_high_water_mark)}
          </StatRow>
        </>
      )}
      <StatRow label="Settled value" note="Money put in plus realized profit, less commission">
        {showMoney(bill.capital + bill.settled_result)}
      </StatRow>
      {bill.worth !== null && (
        <StatRow label="Market value" note="At the last valuation before the cut-off">
          {showMoney(bill.worth)}
        </StatRow>
      )}
      <StatRow
        label="Value at the cut-off"
        note={bill.worth === null ? 'Settled value' : 'The lower of settled and market value'}
      >
        {showMoney(bill.closing_value)}
      </StatRow>
      <StatRow label="Profit" note="Above the high-water mark">
        {showMoney(bill.profit)}
      </StatRow>
      <StatRow label="Rate">{showPercent(bill.fee_percent, { decimals: 0 })}</StatRow>
      <StatRow label="Fee" note="Rounded down to whole cents">
        {showMoney(bill.fee)}
      </StatRow>
      {bill.has_estimates && (
        <StatRow label="Commissions" note="A fee that is too high is credited once your broker states them">
          Partly estimated
        </StatRow>
      )}
      {bill.credited > 0 && (
        <StatRow label="Credited" note="Figures of your broker that came after the bill">
          {showMoney(-bill.credited)}
        </StatRow>
      )}
      <StatRow label="Next high-water mark" note="No fee is due below it">
        {showMoney(bill.next_high_water_mark)}
      </StatRow>
      <StatRow label="Due">
        {bill.fee - bill.credited <= 0
          ? 'Nothing to pay'
          : `${showMoney(bill.fee - bill.credited)} on ${showDate(bill.due_at)}`}
      </StatRow>
    </dl>
  );
}

function openingNote({ number }: FeeBill): string {
  return number === 1 ? 'The initial investment' : 'From the previous bill';
}
