import { type ReactNode, useState } from 'react';
import type { UnconfirmedOrder } from '#contract/operations/unconfirmed-order.ts';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { Field } from '../../kit/control/field.tsx';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import { TextInput } from '../../kit/control/text-input.tsx';
import { NotDecided } from '../not-decided.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { hasReason, ReasonField } from '../reason-field.tsx';

type Verdict = 'arrived' | 'never_arrived';

const CONFIRMED_SIGNS = 6;

/** Manual order resolution. A wrong word here doubles a position or loses one, so the order's own id is typed again. */
export function ResolveOrderDialog({ order, onClose }: { order: UnconfirmedOrder; onClose: () => void }) {
  const form = useResolution(order);
  const { verdict, resolve } = form;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={`Resolve the order to ${order.side} ${order.symbol}`}
      description={`First check account ${order.account} at ${order.broker_name}: its orders, fills and position. Nothing changes until a second person approves.`}
      keep="Leave it open"
      action={confirmText(verdict, hasArrived(order))}
      busy={resolve.isPending}
      busyLabel="Saving..."
      disabled={!form.isReady}
      onConfirm={() => resolve.mutate(form.resolution, { onSuccess: onClose })}
    >
      <div className="grid gap-5">
        <VerdictChoice order={order} value={verdict} onChange={form.setVerdict} />
        {verdict === 'arrived' && (
          <PlainField label="Broker’s order ID" value={form.brokerOrderId} onChange={form.setBrokerOrderId} />
        )}
        <ReasonField
          label="What you saw"
          hint="Recorded with the order and in the audit log."
          placeholder={`the broker’s order list for the day ${verdict === 'arrived' ? 'shows' : 'does not show'} it`}
          value={form.reason}
          onChange={form.setReason}
        />
        <PlainField
          label="To confirm, type the last six characters of our order ID"
          hint={<OrderIdHint id={order.client_order_id} />}
          value={form.confirmation}
          onChange={form.setConfirmation}
        />
        {resolve.isError && <NotDecided error={resolve.error} />}
      </div>
    </ConfirmDialog>
  );
}

/** The current input, and the request it would send. */
function useResolution(order: UnconfirmedOrder) {
  const [verdict, setVerdict] = useState<Verdict>('arrived');
  const [brokerOrderId, setBrokerOrderId] = useState(order.broker_order_id ?? '');
  const [reason, setReason] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const resolve = usePropose();
  const isConfirmed = confirmation.trim() === order.client_order_id.slice(-CONFIRMED_SIGNS);
  const isNamed = verdict === 'never_arrived' || brokerOrderId.trim() !== '';
  return {
    verdict,
    setVerdict,
    brokerOrderId,
    setBrokerOrderId,
    reason,
    setReason,
    confirmation,
    setConfirmation,
    resolve,
    isReady: hasReason(reason) && isConfirmed && isNamed,
    resolution: {
      action: 'resolve_order' as const,
      subject: order.id,
      broker_order_id: verdict === 'arrived' ? brokerOrderId : null,
      reason,
      confirmation,
    },
  };
}

function VerdictChoice({
  order,
  value,
  onChange,
}: {
  order: UnconfirmedOrder;
  value: Verdict;
  onChange: (verdict: Verdict) => void;
}) {
  return (
    <>
      <div className="-mx-1 overflow-x-auto px-1">
        <SegmentedControl
          label="What the broker shows"
          value={value}
          onChange={onChange}
          options={[
            { value: 'arrived', label: 'The order is there' },
            { value: 'never_arrived', label: hasArrived(order) ? 'No further fills' : 'It never arrived' },
          ]}
        />
      </div>
      <p aria-live="polite" className="text-sm text-ink-soft">
        {value === 'arrived' ? ARRIVED : NEVER_ARRIVED}
      </p>
    </>
  );
}

function PlainField({
  label,
  hint,
  value,
  onChange,
}: {
  label: string;
  hint?: ReactNode;
  value: string;
  onChange: (value: string) => void;
}) {
  return (
    <Field label={label} hint={hint}>
      {(wiring) => (
        <TextInput
          {...wiring}
          autoComplete="off"
          spellCheck={false}
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function OrderIdHint({ id }: { id: string }) {
  return (
    <code className="wrap-anywhere">
      {id.slice(0, -CONFIRMED_SIGNS)}
      <strong className="text-ink">{id.slice(-CONFIRMED_SIGNS)}</strong>
    </code>
  );
}

const hasArrived = ({ broker_order_id, filled }: UnconfirmedOrder) => broker_order_id !== null || filled > 0;

function confirmText(verdict: Verdict, arrived: boolean): string {
  if (verdict === 'arrived') return 'Propose: it reached the broker';
  return arrived ? 'Propose: nothing more' : 'Propose: never arrived';
}

const ARRIVED =
  'Our order is linked to this ID. From the next check on we track it and book its fills. A wrong ID books another trade as ours.';
const NEVER_ARRIVED =
  'The order is closed, and the strategy may place a new one. If the broker has the order after all, the position may be opened twice. Any fill that turns up later is still booked.';
