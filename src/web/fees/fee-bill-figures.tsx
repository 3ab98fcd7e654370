import type { FeeBill } from '#contract/fees.ts';
import { feeStatement } from '#rules/fees/fee-statement.ts';
import { isoText } from '#units/instant.ts';
import { fromMicro } from '#units/money.ts';
import { showDate, showMoney } from '../kit/figure/show-figure.ts';
import { StatRow } from '../kit/figure/stat-row.tsx';
import { statedBill } from './stated-bill.ts';

/** From the opening mark to the fee, in the order in which it is computed. */
export function FeeBillFigures({ bill }: { bill: FeeBill }) {
  const lines = feeStatement(statedBill(bill), {
    money: (amount) => showMoney(fromMicro(amount)),
    day: (at) => showDate(isoText(at)),
  });
  return (
    <dl>
      {lines.map(({ label, value, note }) => (
        <StatRow key={label} label={label} note={note}>
          {value}
        </StatRow>
      ))}
    </dl>
  );
}
