import { useState } from 'react';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { SIGNING_NOTICE_DAYS } from '#rules/agreements/agreement-versions.ts';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { showCounted, showDate } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { type Approval, proposalActions, ProposedBy, RowButtons } from './proposals/proposal-actions.tsx';
import { usePropose } from './proposals/proposal-queries.ts';
import { ProposeDialog } from './proposals/propose-dialog.tsx';

/** By when clients must have signed the newest version of the agreement. Two people set the day. */
export function AgreementDay({ desk }: { desk: OperationsDesk }) {
  const [open, setOpen] = useState<string | null>(null);
  const { version, unsigned, sign_by: signBy } = desk.agreement;
  const proposal = desk.proposals.find(({ action }) => action === 'require_signature');
  const close = () => setOpen(null);
  if (unsigned === 0 && proposal === undefined) return null;
  const approval = approvalOf(proposal?.until ?? null);
  const actions = [
    ...(proposal === undefined
      ? [
          {
            label: signBy === null ? 'Set a day' : 'Move the day',
            dialog: <DayDialog version={version} onClose={close} />,
          },
        ]
      : []),
    ...proposalActions(proposal, approval, close),
  ];
  return (
    <section aria-labelledby="agreement-day" className="grid gap-4">
      <SectionTitle
        id="agreement-day"
        note="What clients signed holds for what runs. After the day nothing new is opened for whoever has not signed."
      >
        Agreement {version}
      </SectionTitle>
      <div className="grid gap-4 border-y py-5">
        <div className="flex flex-wrap items-start justify-between gap-4">
          <p className="min-w-0 flex-1 basis-72">
            {showCounted(unsigned, 'client')} signed only an older version.{' '}
            {signBy === null
              ? 'There is no day by which they must sign.'
              : `They must sign by ${showDate(signBy)}.`}
          </p>
          <RowButtons about={`agreement ${version}`} actions={actions} onOpen={setOpen} />
        </div>
        <ProposedBy proposal={proposal} does={approval.does} />
        {actions.find(({ label }) => label === open)?.dialog}
      </div>
    </section>
  );
}

function approvalOf(until: string | null): Approval {
  const day = until === null ? 'a day' : showDate(until);
  return {
    does: `that clients must sign by ${day}`,
    title: `Must clients sign by ${day}?`,
    effect:
      'They are told now, and a week before. From that day on nothing new is opened for whoever has not signed; protecting and closing go on.',
  };
}

function DayDialog({ version, onClose }: { version: string; onClose: () => void }) {
  const propose = usePropose();
  const [until, setUntil] = useState('');
  return (
    <ProposeDialog
      title="By when must clients sign?"
      description={`At least ${SIGNING_NOTICE_DAYS} days ahead, as the agreement promises. Another person must approve it.`}
      action="Propose"
      placeholder="the new wording is needed from the new year"
      mutation={propose}
      isReady={until !== ''}
      onConfirm={(reason) =>
        propose.mutate(
          { action: 'require_signature', subject: version, until, reason },
          { onSuccess: onClose },
        )
      }
      onClose={onClose}
    >
      <Field label="Day">
        {(wiring) => (
          <TextInput
            {...wiring}
            type="date"
            value={until}
            onChange={(event) => setUntil(event.target.value)}
            className="max-w-60"
          />
        )}
      </Field>
    </ProposeDialog>
  );
}
