import type { ReactNode } from 'react';
import type { Proposal } from '#contract/operations/proposal.ts';
import {
  type Approval,
  proposalActions,
  ProposedBy,
  type RowAction,
  RowButtons,
} from '../proposals/proposal-actions.tsx';

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
  proposal: Proposal | null;
  approval: Approval;
  actions: readonly (RowAction | null)[];
  /** The label of the action whose dialog is open. */
  open: string | null;
  onOpen: (label: string | null) => void;
  children: ReactNode;
}) {
  const offered = [
    ...actions.filter((one) => one !== null),
    ...proposalActions(proposal, approval, () => onOpen(null)),
  ];
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="font-medium wrap-anywhere">{about}</h3>
          <p className="text-sm wrap-anywhere text-ink-faint">{below}</p>
        </div>
        <RowButtons about={about} actions={offered} onOpen={onOpen} />
      </div>
      {children}
      <ProposedBy proposal={proposal} does={approval.does} />
      {offered.find(({ label }) => label === open)?.dialog}
    </li>
  );
}
