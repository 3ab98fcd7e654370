import type { ReactNode } from 'react';
import type { IncidentProposal } from '#contract/operations/incident-proposals.ts';
import { Button } from '../../kit/control/button.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { DeclineDialog } from '../adjustments/decline-dialog.tsx';
import { NotDecided } from '../not-decided.tsx';
import { useDecideForIncident } from './incident-proposal-queries.ts';

/** What staff can begin here, and its dialog. */
export type SubjectAction = {
  readonly label: string;
  /** Shown while it is open. */
  readonly dialog: ReactNode;
};

/** One thing that an incident is about, with the proposal about it or the ways to begin one. */
export function SubjectRow({
  about,
  below,
  proposal,
  approval,
  actions,
  open,
  onOpen,
  children,
}: {
  about: string;
  /** Whose it is. */
  below: string;
  proposal: IncidentProposal | null;
  /** What approving does: the title and the consequence. */
  approval: { readonly does: string; readonly title: string; readonly effect: string };
  actions: readonly (SubjectAction | null)[];
  /** The label of the action whose dialog is open. */
  open: string | null;
  onOpen: (label: string | null) => void;
  children: ReactNode;
}) {
  const close = () => onOpen(null);
  const waits = proposal?.status === 'open' ? proposal : null;
  const decline = waits && {
    label: waits.is_own ? 'Withdraw' : 'Decline',
    dialog: <Decline proposal={waits} onClose={close} />,
  };
  const approve = waits &&
    !waits.is_own && {
      label: 'Approve',
      dialog: <Approve proposal={waits} approval={approval} onClose={close} />,
    };
  const offered = [...actions, decline, approve].filter((one) => one !== null && one !== false);
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-medium wrap-anywhere">{about}</h3>
          <p className="text-sm wrap-anywhere text-ink-faint">{below}</p>
        </div>
        <div className="flex flex-wrap gap-3">
          {offered.map(({ label }) => (
            <Button
              key={label}
              variant="secondary"
              size="small"
              aria-label={`${label}: ${about}`}
              onClick={() => onOpen(label)}
            >
              {label}
            </Button>
          ))}
        </div>
      </div>
      {children}
      {waits !== null && (
        <p className="text-sm text-ink-soft">
          {waits.proposed_by} proposes {approval.does}, because {waits.reason}.
        </p>
      )}
      {offered.find(({ label }) => label === open)?.dialog}
    </li>
  );
}

function Approve({
  proposal,
  approval: { title, effect },
  onClose,
}: {
  proposal: IncidentProposal;
  approval: { readonly title: string; readonly effect: string };
  onClose: () => void;
}) {
  const decide = useDecideForIncident(proposal.id);
  return (
    <ConfirmDialog
      onClose={onClose}
      title={title}
      description={`Proposed because ${proposal.reason}. ${effect}`}
      keep="Not yet"
      action="Approve"
      busy={decide.isPending}
      busyLabel="Approving..."
      onConfirm={() => decide.mutate({ decision: 'approve' }, { onSuccess: onClose })}
    >
      {decide.isError && <NotDecided error={decide.error} />}
    </ConfirmDialog>
  );
}

function Decline({ proposal, onClose }: { proposal: IncidentProposal; onClose: () => void }) {
  const decide = useDecideForIncident(proposal.id);
  const verb = proposal.is_own ? 'Withdraw' : 'Decline';
  return (
    <DeclineDialog
      title={`${verb} this proposal?`}
      description="Nothing changes, and you can propose something else."
      verb={verb}
      reasonHint="Recorded at the operations desk and in the audit log."
      reasonPlaceholder="the broker is still investigating"
      decision={decide}
      onDecline={(reason) => decide.mutate({ decision: 'decline', reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
