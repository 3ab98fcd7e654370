import { ButtonLink } from '../kit/control/button-link.tsx';
import { showDate, showMoney } from '../kit/figure/show-figure.ts';
import { Notice } from '../kit/state/notice.tsx';
import { useFeeBills } from './fee-queries.ts';
import { unpaidConsequence } from './unpaid-consequence.ts';

/** Speaks up only while a bill is overdue: its consequences reach every deployment. */
export function UnpaidFeeNotice() {
  const bills = useFeeBills({});
  const oldest = bills.data?.findLast(({ state }) => state === 'overdue');
  if (oldest === undefined) return null;
  return (
    <Notice
      tone="caution"
      title={`A performance fee of ${showMoney(oldest.owed)} was due on ${showDate(oldest.due_at)}`}
      action={
        <ButtonLink to={`/fees/${oldest.id}`} variant="secondary" size="small">
          See the bill
        </ButtonLink>
      }
    >
      {unpaidConsequence(oldest)}
    </Notice>
  );
}
