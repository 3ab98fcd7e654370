import { Checkbox } from '../kit/control/checkbox.tsx';
import { useChangeFeePayment, useFeePayment } from './fee-queries.ts';

/** Whether bills are paid by themselves when they fall due. */
export function AutomaticPayment() {
  const payment = useFeePayment();
  const change = useChangeFeePayment();
  if (payment.data === undefined) return null;
  const { automatic, takes_money: takesMoney } = payment.data;
  return (
    <Checkbox
      label="Pay my fee bills when they fall due"
      hint={
        takesMoney
          ? 'From your means of payment, never from your broker account. If a payment is declined, you pay the bill yourself.'
          : 'Payments are recorded here; nothing is charged.'
      }
      checked={change.isPending ? change.variables : automatic}
      disabled={change.isPending}
      onChange={(event) => change.mutate(event.currentTarget.checked)}
    />
  );
}
