import { useState } from 'react';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { KILL_SWITCH_SCOPES, type KillSwitchScope } from '#rules/operations/kill-switch.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { Checkbox } from '../../kit/control/checkbox.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { Field } from '../../kit/control/field.tsx';
import { Notice } from '../../kit/state/notice.tsx';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import { Select } from '../../kit/control/select.tsx';
import { showCounted } from '../../kit/figure/show-figure.ts';
import { TextInput } from '../../kit/control/text-input.tsx';
import { HaltEffects } from './halt-effects.tsx';
import { useSetKillSwitch } from '../operations-queries.ts';
import { hasReason, ReasonField } from '../reason-field.tsx';

/** Whom to halt and why, and the effect on trading in progress. Nothing is halted before the last button. */
export function HaltDialog({
  desk,
  deployment = '',
  onClose,
}: {
  desk: OperationsDesk;
  /** The id of the deployment that it is opened for. */
  deployment?: string;
  onClose: () => void;
}) {
  const [scope, setScope] = useState<KillSwitchScope>(deployment === '' ? 'global' : 'deployment');
  const [targets, setTargets] = useState({ broker: '', strategy: '', client: '', deployment });
  const [reason, setReason] = useState('');
  const [cancels, setCancels] = useState(false);
  const set = useSetKillSwitch();
  const target = scope === 'global' ? undefined : targets[scope].trim();
  const aim = (value: string) => setTargets({ ...targets, [scope]: value });
  const halt = () =>
    set.mutate(
      { scope, ...(target === undefined ? {} : { target }), cancels_orders: cancels, reason },
      { onSuccess: onClose },
    );
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Halt trading"
      description="It stays on, across restarts, until two people lift it. The audit log records your name."
      keep="Keep trading"
      action={SCOPES[scope].button}
      busy={set.isPending}
      busyLabel="Halting..."
      disabled={!hasReason(reason) || target === ''}
      onConfirm={halt}
    >
      <div className="grid gap-5">
        <ScopeControl value={scope} onChange={setScope} />
        {(scope === 'broker' || scope === 'strategy') && (
          <TargetSelect scope={scope} desk={desk} value={targets[scope]} onChange={aim} />
        )}
        {(scope === 'client' || scope === 'deployment') && (
          <TargetField scope={scope} value={targets[scope]} onChange={aim} />
        )}
        <ReasonField
          label="Why"
          hint={`Clients see: “The provider has halted trading: ${asEnd(reason)}”`}
          placeholder="prices look wrong"
          value={reason}
          onChange={setReason}
        />
        <Checkbox
          label="Also cancel open orders at the broker"
          hint="Includes protective stops. A second person must approve it"
          checked={cancels}
          onChange={(event) => setCancels(event.target.checked)}
        />
        <HaltEffects cancelsWorking={cancels} />
        {set.isError && (
          <Notice tone="failure" title="Trading was not halted">
            {sentenceOf(set.error, 'Please try again.')}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  );
}

const asEnd = (reason: string) => (hasReason(reason) ? `${reason.trim().replace(/\.+$/, '')}.` : '…');

type ScopeControlProps = { value: KillSwitchScope; onChange: (scope: KillSwitchScope) => void };

function ScopeControl({ value, onChange }: ScopeControlProps) {
  return (
    <div className="-mx-1 overflow-x-auto px-1">
      <SegmentedControl
        label="Who to halt"
        value={value}
        onChange={onChange}
        options={KILL_SWITCH_SCOPES.map((scope) => ({ value: scope, label: SCOPES[scope].label }))}
      />
    </div>
  );
}

const NAMED_BY = { client: 'The client’s sign-in e-mail', deployment: 'The deployment’s ID' };

function TargetField({
  scope,
  value,
  onChange,
}: {
  scope: keyof typeof NAMED_BY;
  value: string;
  onChange: (name: string) => void;
}) {
  return (
    <Field label={SCOPES[scope].label} hint={NAMED_BY[scope]}>
      {(wiring) => (
        <TextInput
          {...wiring}
          type={scope === 'client' ? 'email' : 'text'}
          autoComplete="off"
          value={value}
          onChange={(event) => onChange(event.target.value)}
        />
      )}
    </Field>
  );
}

function TargetSelect({
  scope,
  desk,
  value,
  onChange,
}: {
  scope: 'broker' | 'strategy';
  desk: OperationsDesk;
  value: string;
  onChange: (id: string) => void;
}) {
  const targets = scope === 'broker' ? desk.brokers : desk.strategies;
  if (targets.length === 0) return <p className="text-sm text-ink-soft">No running deployments.</p>;
  return (
    <Field label={SCOPES[scope].label}>
      {(wiring) => (
        <Select
          {...wiring}
          value={value}
          onChange={(event) => onChange(event.target.value)}
          options={[
            { value: '', label: 'Choose one' },
            ...targets.map(({ id, name, deployments }) => ({
              value: id,
              label: `${name}: ${showCounted(deployments, 'deployment')}`,
            })),
          ]}
        />
      )}
    </Field>
  );
}

const SCOPES: Readonly<Record<KillSwitchScope, { label: string; button: string }>> = {
  global: { label: 'Everyone', button: 'Halt everyone' },
  broker: { label: 'Broker', button: 'Halt this broker' },
  strategy: { label: 'Strategy', button: 'Halt this strategy' },
  client: { label: 'Client', button: 'Halt this client' },
  deployment: { label: 'Deployment', button: 'Halt this deployment' },
};
