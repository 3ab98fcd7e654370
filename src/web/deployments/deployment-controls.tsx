import { Banknote, Pause, Play, Settings, Square } from 'lucide-react';
import { useState } from 'react';
import type { Deployment } from '#contract/deployments.ts';
import { commandRefusal, type DeploymentCommand, offeredCommands } from '#engine/lifecycle/apply-command.ts';
import { commandReason } from '#rules/reasons/command-reason.ts';
import { Button } from '../kit/control/button.tsx';
import { ConfirmDialog } from '../kit/overlay/confirm-dialog.tsx';
import { showDateTime, showMoney, showPercent } from '../kit/figure/show-figure.ts';
import { CloseSheet } from './close-sheet.tsx';
import { useDeploymentCommand, useWithdrawLiquidation } from './deployment-queries.ts';
import { SettingsDialog } from './settings-dialog.tsx';
import { freezeFloor } from './deployment-figures.ts';

/** Pause or resume, settings, close: what the state allows; what it does not says why. */
export function DeploymentControls({ deployment }: { deployment: Deployment }) {
  const [dialog, setDialog] = useState<'settings' | 'close' | 'unfreeze' | null>(null);
  const pause = useDeploymentCommand(deployment.id, 'pause');
  const resume = useDeploymentCommand(deployment.id, 'resume');
  const offered = offeredCommands(deployment.status);
  const ended = !offered.includes('stop');
  const held = (command: DeploymentCommand) => heldBack(command, deployment);
  const isActive = deployment.status === 'active';
  // What a person has open stays when the deployment ends meanwhile: their answer says why it no longer counts.
  return (
    <>
      {!ended && (
        <>
          {isActive ? (
            <Button
              variant="secondary"
              icon={<Pause className="size-4" aria-hidden="true" />}
              busy={pause.isPending}
              busyLabel="Pausing..."
              onClick={() => pause.mutate()}
            >
              Pause Trading
            </Button>
          ) : (
            <Button
              icon={<Play className="size-4" aria-hidden="true" />}
              busy={resume.isPending}
              busyLabel="Resuming..."
              {...held('resume')}
              onClick={() => (deployment.status === 'frozen' ? setDialog('unfreeze') : resume.mutate())}
            >
              Resume Trading
            </Button>
          )}
          <Button
            variant="secondary"
            icon={<Settings className="size-4" aria-hidden="true" />}
            {...held('settings')}
            onClick={() => setDialog('settings')}
          >
            Settings
          </Button>
          <LiquidationRequest deployment={deployment} />
          <Button
            variant="secondary"
            icon={<Square className="size-4" aria-hidden="true" />}
            {...held('stop')}
            onClick={() => setDialog('close')}
          >
            Close Deployment
          </Button>
        </>
      )}
      {dialog === 'settings' && <SettingsDialog deployment={deployment} onClose={() => setDialog(null)} />}
      {dialog === 'unfreeze' && <UnfreezeDialog deployment={deployment} onClose={() => setDialog(null)} />}
      {dialog === 'close' && <CloseSheet deployment={deployment} onClose={() => setDialog(null)} />}
    </>
  );
}

/** What was asked of support and is not decided yet. */
function LiquidationRequest({ deployment }: { deployment: Deployment }) {
  const withdraw = useWithdrawLiquidation(deployment.id);
  const decideBy = deployment.liquidation_decide_by;
  if (decideBy === null) return null;
  return (
    <span className="flex flex-wrap items-center gap-x-3 gap-y-1">
      <Button
        variant="secondary"
        icon={<Banknote className="size-4" aria-hidden="true" />}
        disabled
        title="Support is reviewing your request."
      >
        Liquidation requested
      </Button>
      <Button
        variant="quiet"
        busy={withdraw.isPending}
        busyLabel="Withdrawing..."
        onClick={() => withdraw.mutate()}
      >
        Withdraw
      </Button>
      <span className="text-sm text-ink-soft">Support decides by {showDateTime(decideBy)}.</span>
    </span>
  );
}

function heldBack(command: DeploymentCommand, { status }: Deployment) {
  const refusal = commandRefusal(command, status);
  return { disabled: refusal !== null, title: refusal ? commandReason(refusal) : undefined };
}

/** A freeze ends with the owner's word, who first reads what it does to the limit. */
function UnfreezeDialog({ deployment, onClose }: { deployment: Deployment; onClose: () => void }) {
  const resume = useDeploymentCommand(deployment.id, 'resume');
  const { equity, peak_equity: peak, freeze_on_drawdown: limit } = deployment;
  const fall = showPercent((1 - equity / peak) * 100, { decimals: 1 });
  const again =
    limit === 0
      ? 'Your freeze limit is off, so trading will not freeze again.'
      : `Your limit of ${showPercent(limit, { decimals: 0 })} then counts from today’s value: trading freezes again below ${showMoney(freezeFloor(equity, limit))}.`;
  return (
    <ConfirmDialog
      onClose={onClose}
      title="Resume a frozen deployment?"
      description={`It is worth ${showMoney(equity)}, ${fall} below its peak of ${showMoney(peak)}. Once you resume, it follows its strategy again and buys from the next decision. ${again}`}
      keep="Stay frozen"
      action="Resume Trading"
      variant="primary"
      busy={resume.isPending}
      busyLabel="Resuming..."
      onConfirm={() => resume.mutate(undefined, { onSettled: onClose })}
    />
  );
}
