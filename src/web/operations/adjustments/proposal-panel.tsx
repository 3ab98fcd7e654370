import { useState } from 'react';
import type { AdjustmentProposal } from '#contract/operations/adjustments.ts';
import { Button } from '../../kit/control/button.tsx';
import { ConfirmDialog } from '../../kit/overlay/confirm-dialog.tsx';
import { showDateTime, showMoney } from '../../kit/figure/show-figure.ts';
import { useDecideAdjustment } from './adjustment-queries.ts';
import { DeclineDialog } from './decline-dialog.tsx';
import { Facts } from '../facts.tsx';
import { NotDecided } from '../not-decided.tsx';
import { proposalWords } from './proposal-words.ts';

/** Whether it still blocks another one. */
export const isLive = (proposal: AdjustmentProposal | null): proposal is AdjustmentProposal =>
  proposal?.status === 'open' || proposal?.status === 'approved';

/** What was proposed for a row of the desk, and what this person may say to it. */
export function ProposalPanel({ proposal }: { proposal: AdjustmentProposal }) {
  const [dialog, setDialog] = useState<'approve' | 'decline' | null>(null);
  const close = () => setDialog(null);
  const { status, is_own: isOwn } = proposal;
  const words = proposalWords(proposal);
  if (!isLive(proposal)) return <EndedProposal proposal={proposal} words={words} />;
  return (
    <div className="grid gap-3 rounded-surface bg-raised p-4 text-sm">
      <p>
        <span className="font-medium">{status === 'open' ? 'Proposed' : 'Approved'}:</span> {words}
        {proposal.deployment !== null && (
          <span className="wrap-anywhere text-ink-soft">
            {' '}
            in {proposal.strategy_name} of {proposal.client}
          </span>
        )}
        , because {proposal.reason}.
      </p>
      <p className="text-ink-soft">
        By <span className="wrap-anywhere">{proposal.proposed_by}</span>, {showDateTime(proposal.proposed_at)}
        .{' '}
        {status === 'approved' ? (
          <>
            Approved by <span className="wrap-anywhere">{proposal.decided_by}</span>,{' '}
            {showDateTime(proposal.decided_at)}. The trader books it at its next check, once no other{' '}
            {proposal.symbol} order is open at the broker.
          </>
        ) : (
          isOwn && 'Waiting for a second member of support.'
        )}
      </p>
      <div className="flex flex-wrap gap-3">
        <Button
          variant="secondary"
          size="small"
          aria-label={`${isOwn ? 'Withdraw' : 'Decline'}: ${words}`}
          onClick={() => setDialog('decline')}
        >
          {isOwn ? 'Withdraw' : 'Decline'}
        </Button>
        {status === 'open' && !isOwn && (
          <Button
            variant="secondary"
            size="small"
            aria-label={`Approve: ${words}`}
            onClick={() => setDialog('approve')}
          >
            Approve
          </Button>
        )}
      </div>
      {dialog === 'approve' && <ApproveDialog proposal={proposal} words={words} onClose={close} />}
      {dialog === 'decline' && <DeclineProposal proposal={proposal} words={words} onClose={close} />}
    </div>
  );
}

function EndedProposal({ proposal, words }: { proposal: AdjustmentProposal; words: string }) {
  const { status, outcome } = proposal;
  if (status === 'applied') return null;
  return (
    <p className="text-sm text-ink-soft">
      Last proposal: {words}. It {status === 'void' ? 'became void' : 'was declined'}
      {outcome !== null && `: ${outcome}`}.
    </p>
  );
}

type DialogProps = { proposal: AdjustmentProposal; words: string; onClose: () => void };

function ApproveDialog({ proposal, words, onClose }: DialogProps) {
  const decide = useDecideAdjustment(proposal.id);
  const { deployment, client, strategy_name: strategy, commission, replaces } = proposal;
  const short = replaces === null ? '' : ` ${KEPT_SHORT}`;
  return (
    <ConfirmDialog
      onClose={onClose}
      title={deployment === null ? 'Book as external?' : 'Adjust these books?'}
      description={
        deployment === null
          ? `${asSentence(words)}. No deployment’s cash or position changes. This cannot be undone.`
          : `${asSentence(words)}.${short} The owner is notified with the reason. This cannot be undone, only adjusted again.`
      }
      keep="Not yet"
      action={deployment === null ? 'Approve as external' : 'Approve adjustment'}
      busy={decide.isPending}
      busyLabel="Approving..."
      onConfirm={() => decide.mutate({ decision: 'approve' }, { onSuccess: onClose })}
    >
      <div className="grid gap-5">
        <Facts
          facts={[
            ...(deployment === null
              ? []
              : [
                  ['Deployment', `${strategy}, ${client}`] as const,
                  ['Commission', showMoney(commission)] as const,
                ]),
            ['Why', proposal.reason],
            ['Proposed by', proposal.proposed_by],
          ]}
        />
        {decide.isError && <NotDecided error={decide.error} />}
      </div>
    </ConfirmDialog>
  );
}

const KEPT_SHORT = 'If the strategy is long-only, units that it no longer holds go to the suspense account.';

function DeclineProposal({ proposal, words, onClose }: DialogProps) {
  const decide = useDecideAdjustment(proposal.id);
  const verb = proposal.is_own ? 'Withdraw' : 'Decline';
  return (
    <DeclineDialog
      title={`${verb} this proposal?`}
      description={`${asSentence(words)}. Nothing is booked, and you can propose something else.`}
      verb={verb}
      reasonHint="Recorded at the operations desk and in the audit log."
      reasonPlaceholder="the broker is still investigating"
      decision={decide}
      onDecline={(reason) => decide.mutate({ decision: 'decline', reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}

const asSentence = (words: string) => words.replace(/^./, (first) => first.toUpperCase());
