import { useMutation, useQueryClient } from '@tanstack/react-query';
import { Rocket } from 'lucide-react';
import { useState } from 'react';
import { useNavigate } from 'react-router';
import type { BrokerConnection } from '#contract/brokerage.ts';
import type { Deployment } from '#contract/deployments.ts';
import { agreementTitle } from '#rules/agreements/agreement-title.ts';
import { hasEnded } from '#engine/lifecycle/status.ts';
import { call } from '../../call/call.ts';
import { sentenceOf } from '../../call/call-error.ts';
import { useInstallation } from '../../call/installation.ts';
import { useSession, useUser } from '../../call/session.tsx';
import { useSingleAttempt } from '../../call/use-single-attempt.ts';
import { Button } from '../../kit/control/button.tsx';
import { Field } from '../../kit/control/field.tsx';
import { SegmentedControl } from '../../kit/control/segmented-control.tsx';
import { Select } from '../../kit/control/select.tsx';
import { TextLink } from '../../kit/control/text-link.tsx';
import { StatRow } from '../../kit/figure/stat-row.tsx';
import { showMoney, showPercent } from '../../kit/figure/show-figure.ts';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { showToast } from '../../kit/overlay/toast.ts';
import { Notice } from '../../kit/state/notice.tsx';

/** From practice to the person's own account: this button, and the one of the sheet that it opens. */
export function PromoteButton({ deployment }: { deployment: Deployment }) {
  const [isOpen, setOpen] = useState(false);
  const { mode, shadow_of: real, status } = deployment;
  if (mode !== 'practice' || real !== null || hasEnded(status)) return null;
  return (
    <>
      <Button icon={<Rocket className="size-4" aria-hidden="true" />} onClick={() => setOpen(true)}>
        Promote
      </Button>
      {isOpen && <PromotionSheet deployment={deployment} onClose={() => setOpen(false)} />}
    </>
  );
}

type Afterwards = 'shadow' | 'end';

function PromotionSheet({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const user = useUser();
  const accounts = user.broker_connections.filter(({ connection_status: status }) => status === 'active');
  const [connection, setConnection] = useState(accounts[0]?.id ?? null);
  const chosen = accounts.find(({ id }) => id === connection);
  const [practice, setPractice] = useState<Afterwards>('shadow');
  const promotion = usePromotion(deployment, { connection, practice });
  const title = agreementTitle(useInstallation());
  const missing = missingFor(accounts, user.is_agreement_signed ? null : title);
  const amount = showMoney(deployment.investment_amount);
  return (
    <ConfirmDialog
      onClose={onClose}
      variant="primary"
      title="Trade this strategy at your broker"
      description={`A new deployment begins with ${amount} of your ${chosen?.is_paper === true ? 'paper account' : 'brokerage account'}: the same strategy and limits. Nothing that practice holds goes over.`}
      keep="Keep practising"
      action={`Deploy ${amount}`}
      busy={promotion.isPending || promotion.isSuccess}
      busyLabel="Deploying..."
      disabled={missing !== null}
      onConfirm={() => promotion.mutate()}
    >
      <div className="grid gap-5">
        {missing !== null ? (
          <Notice tone="caution" title={missing}>
            <TextLink to={`/strategy/${deployment.strategy}/deploy`}>Complete the steps</TextLink>, then come
            back.
          </Notice>
        ) : (
          <Field label="Account">
            {(wiring) => (
              <Select
                {...wiring}
                value={connection ?? ''}
                onChange={(event) => setConnection(event.target.value)}
                options={accounts.map((one) => ({
                  value: one.id,
                  label: titleOf(one),
                }))}
              />
            )}
          </Field>
        )}
        <Limits deployment={deployment} />
        <div className="grid gap-2">
          <p className="text-sm">Afterwards practice</p>
          <SegmentedControl
            label="Afterwards practice"
            value={practice}
            onChange={setPractice}
            options={[
              { value: 'shadow', label: 'Goes on beside it' },
              { value: 'end', label: 'Ends' },
            ]}
          />
        </div>
        {promotion.isError && (
          <Notice tone="failure" title="Nothing was deployed">
            {sentenceOf(promotion.error, 'Please try again.')}
          </Notice>
        )}
      </div>
    </ConfirmDialog>
  );
}

/** The number first: on a phone the end of it is cut off. */
function titleOf({ account_id: number, broker_name: broker, is_paper: isPaper }: BrokerConnection): string {
  return `${number ?? ''} ${broker}${isPaper === true ? ', paper' : ''}`.trim();
}

function Limits({ deployment }: { deployment: Deployment }) {
  return (
    <dl>
      <StatRow label="Stop Loss">{showPercent(deployment.stop_loss_percentage, { decimals: 0 })}</StatRow>
      <StatRow label="Max Allocation">
        {showPercent(deployment.max_allocation_per_trade, { decimals: 0 })}
      </StatRow>
      <StatRow label="Freeze Threshold">
        {showPercent(deployment.freeze_on_drawdown, { decimals: 0 })}
      </StatRow>
    </dl>
  );
}

/** What the service would refuse for, as far as this page knows it; it checks every gate itself. */
function missingFor(accounts: readonly BrokerConnection[], unsigned: string | null): string | null {
  if (unsigned !== null) return `The ${unsigned.toLowerCase()} is not signed`;
  return accounts.length === 0 ? 'No broker account is connected' : null;
}

function usePromotion(
  deployment: Deployment,
  { connection, practice }: { connection: string | null; practice: Afterwards },
) {
  const navigate = useNavigate();
  const cache = useQueryClient();
  const { reloadUser } = useSession();
  const promoteOnce = useSingleAttempt((_: void, idempotencyKey: string) => {
    if (connection === null) throw new Error('an account is needed');
    const body = { broker_connection: connection, practice };
    return call('promoteDeployment', { params: { id: deployment.id }, body, idempotencyKey });
  });
  return useMutation({
    mutationFn: () => promoteOnce(),
    onSuccess: async (real) => {
      showToast({
        title: 'Strategy deployed',
        message: `${real.strategy_name} starts trading at its next signal.`,
        type: 'success',
      });
      await Promise.all([reloadUser(), cache.invalidateQueries({ queryKey: ['deployments'] })]);
      void navigate(`/deployed-strategies/${real.id}`);
    },
  });
}
