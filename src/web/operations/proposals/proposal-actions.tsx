import type { ReactNode } from 'react';
import type { Proposal } from '#contract/operations/proposal.ts';
import { Button } from '../../kit/control/button.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { DeclineDialog } from '../adjustments/decline-dialog.tsx';
import { NotDecided } from '../not-decided.tsx';
import { useDecideProposal } from './proposal-queries.ts';
import { ProposeDialog } from './propose-dialog.tsx';

/** What staff can begin in a row, and its dialog. */
export type RowAction = {
  readonly label: string;
  /** Shown while it is open. */
  readonly dialog: ReactNode;
};

/** What approving does: as the rest of "proposes …", the title and the consequence. */
export type Approval = {
  readonly does: string;
  readonly title: string;
  readonly effect: string;
  /** The noun of it, where a row may have several proposals: "Approve lifting". */
  readonly noun?: string;
  /** Of what asks for a word of the second person: what they look at, and the end of a sentence as an example. */
  readonly look?: { readonly at: ReactNode; readonly example: string };
};

/** Of whoever proposed it: to withdraw it. Of others: to decline or approve it. */
export function proposalActions(
  proposal: Proposal | null | undefined,
  approval: Approval,
  onClose: () => void,
): readonly RowAction[] {
  if (proposal?.status !== 'open') return [];
  const label = (verb: string) => (approval.noun === undefined ? verb : `${verb} ${approval.noun}`);
  const decline = <Decline proposal={proposal} onClose={onClose} />;
  if (proposal.is_own) return [{ label: label('Withdraw'), dialog: decline }];
  const approve = <Approve proposal={proposal} approval={approval} onClose={onClose} />;
  return [
    { label: label('Decline'), dialog: decline },
    { label: label('Approve'), dialog: approve },
  ];
}

/** The buttons of a row. */
export function RowButtons({
  about,
  actions,
  onOpen,
}: {
  about: string;
  actions: readonly RowAction[];
  onOpen: (label: string) => void;
}) {
  return (
    <div className="flex flex-wrap gap-3">
      {actions.map(({ label }) => (
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
  );
}

/** Who proposes what, and why. */
export function ProposedBy({ proposal, does }: { proposal: Proposal | null | undefined; does: string }) {
  if (proposal?.status !== 'open') return null;
  return (
    <p className="text-sm text-ink-soft">
      <span className="wrap-anywhere">{proposal.proposed_by}</span> proposes {does}, because {proposal.reason}
      .{proposal.is_own ? ' Another person must approve it.' : ''}
    </p>
  );
}

type DialogProps = { proposal: Proposal; onClose: () => void };

function Approve({
  proposal,
  approval: { title, effect, look },
  onClose,
}: DialogProps & { approval: Pick<Approval, 'title' | 'effect' | 'look'> }) {
  const decide = useDecideProposal(proposal);
  if (look !== undefined)
    return (
      <ProposeDialog
        title={title}
        description={`Proposed because ${proposal.reason}. ${effect}`}
        action="Approve"
        label="What you looked at"
        placeholder={look.example}
        mutation={decide}
        onConfirm={(reason) => decide.mutate({ decision: 'approve', reason }, { onSuccess: onClose })}
        onClose={onClose}
      >
        {look.at}
      </ProposeDialog>
    );
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

function Decline({ proposal, onClose }: DialogProps) {
  const decide = useDecideProposal(proposal);
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
