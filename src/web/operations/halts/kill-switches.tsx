import { OctagonX } from 'lucide-react';
import { useState } from 'react';
import type { KillSwitch } from '#contract/operations/kill-switch.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import type { Proposal } from '#contract/operations/proposal.ts';
import { haltEffect, haltedName } from '#rules/operations/kill-switch.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { showCounted, showDateTime } from '../../kit/figure/show-figure.ts';
import { type Approval, proposalActions, ProposedBy, RowButtons } from '../proposals/proposal-actions.tsx';
import { usePropose } from '../proposals/proposal-queries.ts';
import { ProposeDialog } from '../proposals/propose-dialog.tsx';
import { Wait } from '../wait.tsx';

/** The active halts. One person halts; lifting takes two. */
export function KillSwitches({ desk }: { desk: OperationsDesk }) {
  const switches = desk.kill_switches;
  return (
    <section aria-labelledby="kill-switches" className="grid gap-4">
      <SectionTitle
        id="kill-switches"
        note="While a halt is on, the accounts it covers send no orders: no entries, no exits, no stop losses."
      >
        Halted now
      </SectionTitle>
      {switches.length === 0 ? (
        <p className="border-y py-5 text-ink-soft">No halts. Orders are sent normally.</p>
      ) : (
        <ul className="border-y">
          {switches.map((killSwitch) => (
            <SwitchRow key={killSwitch.id} killSwitch={killSwitch} desk={desk} />
          ))}
        </ul>
      )}
    </section>
  );
}

function SwitchRow({ killSwitch, desk }: { killSwitch: KillSwitch; desk: OperationsDesk }) {
  const [open, setOpen] = useState<string | null>(null);
  const { id, scope, name, reason, set_by: setBy, set_at: setAt, cancels_orders: cancels } = killSwitch;
  const halted = haltedName(scope, name);
  const close = () => setOpen(null);
  const proposed = (action: Proposal['action']) =>
    desk.proposals.find((one) => one.action === action && one.subject === id);
  const lifting = { proposal: proposed('lift_halt'), approval: liftingOf(halted) };
  const cancelling = { proposal: proposed('cancel_orders'), approval: cancellingOf(halted) };
  const begin = (action: 'lift_halt' | 'cancel_orders', label: string, approval: Approval) => ({
    label,
    dialog: <ChangeDialog killSwitch={killSwitch} action={action} approval={approval} onClose={close} />,
  });
  const offered = [
    ...(cancels || cancelling.proposal
      ? []
      : [begin('cancel_orders', 'Also cancel open orders', cancelling.approval)]),
    ...proposalActions(cancelling.proposal, cancelling.approval, close),
    ...(lifting.proposal ? [] : [begin('lift_halt', 'Lift', lifting.approval)]),
    ...proposalActions(lifting.proposal, lifting.approval, close),
  ];
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="flex min-w-0 flex-1 basis-72 gap-3">
          <OctagonX className="mt-1 size-4 shrink-0 text-caution" aria-hidden="true" />
          <div className="min-w-0">
            <h3 className="font-medium wrap-anywhere">{halted.replace(/^everyone|^the /, capital)}</h3>
            <p className="mt-1 text-ink-soft first-letter:uppercase">{reason}.</p>
            <p className="figures mt-2 text-sm text-ink-soft">
              {showCounted(killSwitch.deployments, 'deployment')} held for{' '}
              <Wait since={setAt} until={desk.as_of} />. By <span className="wrap-anywhere">{setBy}</span>,{' '}
              {showDateTime(setAt)}.
            </p>
            <p className="mt-1 text-sm text-ink-faint">
              {cancels
                ? 'Open orders at the broker were cancelled, including protective stops.'
                : 'Open orders and protective stops stay at the broker.'}
            </p>
          </div>
        </div>
        <RowButtons about={halted} actions={offered} onOpen={setOpen} />
      </div>
      <ProposedBy proposal={cancelling.proposal} does={cancelling.approval.does} />
      <ProposedBy proposal={lifting.proposal} does={lifting.approval.does} />
      {offered.find(({ label }) => label === open)?.dialog}
    </li>
  );
}

/** An e-mail or a broker’s name stays as it is written. */
const capital = (start: string) => start.replace(/^./, (first) => first.toUpperCase());

const liftingOf = (halted: string): Approval => ({
  noun: 'lifting',
  does: 'to lift this halt',
  title: `Resume trading for ${halted}?`,
  effect:
    'Orders on hold are checked again at current prices and limits, and sent within seconds if they still pass.',
});

function cancellingOf(halted: string): Approval {
  const effect = haltEffect({ cancelsWorking: true });
  return {
    noun: 'cancelling',
    does: 'to cancel open orders and protective stops',
    title: `Cancel open orders for ${halted}?`,
    effect: `${effect.working} ${effect.stops} Trading stays halted throughout.`,
  };
}

function ChangeDialog({
  killSwitch,
  action,
  approval,
  onClose,
}: {
  killSwitch: KillSwitch;
  action: 'lift_halt' | 'cancel_orders';
  approval: Approval;
  onClose: () => void;
}) {
  const propose = usePropose();
  return (
    <ProposeDialog
      title={approval.title}
      description={`Halted because ${killSwitch.reason}. ${approval.effect} Nothing changes until a second person approves.`}
      action="Propose"
      placeholder={action === 'lift_halt' ? 'prices are right again' : 'these orders were a mistake'}
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action, subject: killSwitch.id, reason }, { onSuccess: onClose })
      }
      onClose={onClose}
    />
  );
}
