import { useState } from 'react';
import type { FigureAudience } from '#contract/operations/catalogue.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { type Approval, proposalActions, ProposedBy, RowButtons } from './proposals/proposal-actions.tsx';
import { usePropose } from './proposals/proposal-queries.ts';
import { ProposeDialog } from './proposals/propose-dialog.tsx';

/** Whom hypothetical figures are shown. Two people switch. */
export function FigureAudiences({ audiences }: { audiences: readonly FigureAudience[] }) {
  return (
    <section aria-labelledby="figures" className="grid gap-4">
      <SectionTitle
        id="figures"
        note="Whoever may not see them sees a sentence in place of the marketplace, strategies and downloads. Own results stay. A country counts before all."
      >
        Who sees hypothetical figures
      </SectionTitle>
      <ul className="border-y">
        {audiences.map((audience) => (
          <AudienceRow key={audience.key} audience={audience} />
        ))}
      </ul>
    </section>
  );
}

function AudienceRow({ audience }: { audience: FigureAudience }) {
  const [open, setOpen] = useState<string | null>(null);
  const { name, is_shown: isShown, proposal } = audience;
  const close = () => setOpen(null);
  const action = isShown ? 'hide_figures' : 'show_figures';
  const approval = approvalOf(action, name);
  const begin = {
    label: isShown ? 'Propose to hide' : 'Propose to show',
    dialog: <Dialog action={action} audience={audience} onClose={close} />,
  };
  const actions = [...(proposal === null ? [begin] : []), ...proposalActions(proposal, approval, close)];
  return (
    <li className="grid gap-3 border-b py-4 last:border-0">
      <div className="flex flex-wrap items-center justify-between gap-4">
        <p className="flex min-w-0 flex-1 basis-60 flex-wrap items-baseline gap-3 first-letter:uppercase">
          <span className="first-letter:uppercase">{name}</span>
          <Badge>{isShown ? 'Shown' : 'Hidden'}</Badge>
        </p>
        <RowButtons about={name} actions={actions} onOpen={setOpen} />
      </div>
      <ProposedBy proposal={proposal} does={approval.does} />
      {actions.find(({ label }) => label === open)?.dialog}
    </li>
  );
}

function approvalOf(action: 'hide_figures' | 'show_figures', name: string): Approval {
  return action === 'hide_figures'
    ? {
        does: `to hide hypothetical figures from ${name}`,
        title: `Hide hypothetical figures from ${name}?`,
        effect:
          'They see a sentence in place of the marketplace and the pages of strategies, at once. Deployments go on.',
      }
    : {
        does: `to show hypothetical figures to ${name}`,
        title: `Show hypothetical figures to ${name}?`,
        effect: 'They see them at once, labelled hypothetical.',
      };
}

function Dialog({
  action,
  audience: { key, name },
  onClose,
}: {
  action: 'hide_figures' | 'show_figures';
  audience: FigureAudience;
  onClose: () => void;
}) {
  const propose = usePropose();
  const { title, effect } = approvalOf(action, name);
  return (
    <ProposeDialog
      title={title}
      description={`Another person must approve it. ${effect}`}
      action="Propose"
      placeholder="the rules of that country have changed"
      mutation={propose}
      onConfirm={(reason) => propose.mutate({ action, subject: key, reason }, { onSuccess: onClose })}
      onClose={onClose}
    />
  );
}
