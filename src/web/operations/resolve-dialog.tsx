import { useState } from 'react';
import type { UnconfirmedOrder } from '#contract/operations.ts';
import { Button } from '../kit/control/button.tsx';
import { Dialog } from '../kit/overlay/dialog.tsx';
import { Field } from '../kit/control/field.tsx';
import { SegmentedControl } from '../kit/control/segmented-control.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { NotDecided } from './not-decided.tsx';
import { useSettleOrder } from './operations-queries.ts';
import { hasReason, ReasonField } from './reason-field.tsx';

const CONFIRMED_SIGNS = 6;

/** A wrong word here doubles a position or loses one, so the order's own id is written again before it counts. */
export function ResolveDialog({ order, onClose }: { order: UnconfirmedOrder; onClose: () => void }) {
  const [verdict, setVerdict] = useState<'is_there' | 'not_there'>('is_there');
  const [brokerOrderId, setBrokerOrderId] = useState(order.broker_order_id ?? '');
  const [reason, setReason] = useState('');
  const [confirmation, setConfirmation] = useState('');
  const settle = useSettleOrder(order.id);
  const isThere = verdict === 'is_there';
  const hasArrived = order.broker_order_id !== null || order.filled > 0;
  const end = order.client_order_id.slice(-CONFIRMED_SIGNS);
  const start = order.client_order_id.slice(0, -CONFIRMED_SIGNS);
  const isReady =
    hasReason(reason) && confirmation.trim() === end && (!isThere || brokerOrderId.trim() !== '');
  const decide = () =>
    settle.mutate(
      isThere
        ? { verdict, broker_order_id: brokerOrderId, reason, confirmation }
        : { verdict, reason, confirmation },
      { onSuccess: onClose },
    );
  return (
    <Dialog
      open
      onOpenChange={(open) => !open && onClose()}
      title={`Resolve the order to ${order.side} ${order.symbol}`}
      description={`First check account ${order.account} at ${order.broker_name}: its orders, fills and position.`}
      footer={
        <>
          <Button variant="secondary" onClick={onClose}>
            Leave it open
          </Button>
          <Button
            variant="danger"
            busy={settle.isPending}
            busyLabel="Saving..."
            disabled={!isReady}
            onClick={decide}
          >
            {isThere
              ? 'Confirm: it reached the broker'
              : hasArrived
                ? 'Confirm: nothing more'
                : 'Confirm: never arrived'}
          </Button>
        </>
      }
    >
      <div className="grid gap-5">
        <div className="-mx-1 overflow-x-auto px-1">
          <SegmentedControl
            label="What the broker shows"
            value={verdict}
            onChange={setVerdict}
            options={[
              { value: 'is_there', label: 'The order is there' },
              { value: 'not_there', label: hasArrived ? 'No further fills' : 'It never arrived' },
            ]}
          />
        </div>
        <p aria-live="polite" className="text-sm text-ink-soft">
          {isThere ? IS_THERE : NOT_THERE}
        </p>
        {isThere && (
          <Field label="Broker’s order ID">
            {(wiring) => (
              <TextInput
                {...wiring}
                autoComplete="off"
                spellCheck={false}
                value={brokerOrderId}
                onChange={(event) => setBrokerOrderId(event.target.value)}
              />
            )}
          </Field>
        )}
        <ReasonField
          label="What you saw"
          hint="Recorded with the order and in the audit log."
          placeholder={`the broker’s order list for the day ${isThere ? 'shows' : 'does not show'} it`}
          value={reason}
          onChange={setReason}
        />
        <Field
          label="To confirm, type the last six characters of our order ID"
          hint={
            <>
              <code className="wrap-anywhere">
                {start}
                <strong className="text-ink">{end}</strong>
              </code>
            </>
          }
        >
          {(wiring) => (
            <TextInput
              {...wiring}
              autoComplete="off"
              spellCheck={false}
              value={confirmation}
              onChange={(event) => setConfirmation(event.target.value)}
            />
          )}
        </Field>
        {settle.isError && <NotDecided error={settle.error} />}
      </div>
    </Dialog>
  );
}

const IS_THERE =
  'Our order is linked to this ID. From the next check on we track it and book its fills. A wrong ID books another trade as ours.';
const NOT_THERE =
  'The order is closed, and the strategy may place a new one. If the broker has the order after all, the position may be opened twice. Any fill that turns up later is still booked.';
