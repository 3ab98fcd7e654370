import { END_NOTICE_DAYS } from '#rules/strategies/end-day.ts';
import { Field } from '../kit/control/field.tsx';
import { TextInput } from '../kit/control/text-input.tsx';
import { useState } from 'react';
import type { CatalogueEntry } from '#contract/operations/catalogue.ts';
import { TextLink } from '../kit/control/text-link.tsx';
import { showCounted, showDate } from '../kit/figure/show-figure.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { Badge } from '../kit/state/badge.tsx';
import { useCatalogueStrategy } from './catalogue-queries.ts';
import { type Approval, proposalActions, ProposedBy, RowButtons } from './proposals/proposal-actions.tsx';
import { usePropose } from './proposals/proposal-queries.ts';
import { ProposeDialog } from './proposals/propose-dialog.tsx';

const STATUS_WORDS = { draft: 'Draft', published: 'Published', retired: 'Retired' } as const;

/** Some strategies of the catalogue. One person proposes to publish or retire one, another approves. */
export function CatalogueList({
  id,
  title,
  note,
  entries,
}: {
  id: string;
  title: string;
  note: string;
  entries: readonly CatalogueEntry[];
}) {
  if (entries.length === 0) return null;
  return (
    <section aria-labelledby={id} className="grid gap-4">
      <SectionTitle id={id} note={note}>
        {title}
      </SectionTitle>
      <ul className="border-y">
        {entries.map((entry) => (
          <EntryRow key={entry.id} entry={entry} />
        ))}
      </ul>
    </section>
  );
}

function EntryRow({ entry }: { entry: CatalogueEntry }) {
  const [open, setOpen] = useState<string | null>(null);
  const { id, name, status, proposal } = entry;
  const close = () => setOpen(null);
  const action = proposal?.action === 'retire' || status === 'published' ? 'retire' : 'publish';
  const approval = approvalOf(action, entry);
  const begin = {
    label: action === 'retire' ? 'Propose to retire' : 'Propose to publish',
    dialog: <Dialog action={action} entry={entry} onClose={close} />,
  };
  const isOffered = proposal === null && (action === 'retire' || entry.has_result);
  const actions = [...(isOffered ? [begin] : []), ...proposalActions(proposal, approval, close)];
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="flex flex-wrap items-start justify-between gap-4">
        <div className="min-w-0 flex-1 basis-72">
          <h3 className="flex flex-wrap items-baseline gap-x-3 gap-y-1 font-medium wrap-anywhere">
            <TextLink to={`/catalogue/${id}`}>{name}</TextLink>
            <Badge>{STATUS_WORDS[status]}</Badge>
          </h3>
          <p className="mt-1 text-ink-soft">{entry.short_description}</p>
          <p className="figures mt-2 text-sm text-ink-faint">
            Version {entry.version}, since {showDate(entry.created_at)}
            {entry.author === null ? '' : `, by ${entry.author}`}.{' '}
            {entry.deployments === 0
              ? 'Nobody has it deployed.'
              : `${showCounted(entry.deployments, 'deployment')} run.`}
          </p>
          {entry.replaces !== null && (
            <p className="mt-1 text-sm text-ink-faint">
              To become the next version of{' '}
              <TextLink to={`/catalogue/${entry.replaces.id}`}>{entry.replaces.name}</TextLink>.
            </p>
          )}
          {!entry.has_result && (
            <p className="mt-1 text-sm text-ink-faint">
              It has no result yet: run its backtest before it is published.
            </p>
          )}
        </div>
        <RowButtons about={name} actions={actions} onOpen={setOpen} />
      </div>
      <ProposedBy proposal={proposal} does={approval.does} />
      {actions.find(({ label }) => label === open)?.dialog}
    </li>
  );
}

function approvalOf(
  action: 'publish' | 'retire',
  { id, name, deployments, replaces, proposal }: CatalogueEntry,
): Approval {
  const until = proposal?.until ?? null;
  const look = { at: <LookFirst id={id} />, example: 'its attack and its worst months' };
  if (action === 'publish' && replaces !== null)
    return {
      look,
      does: 'to publish this version',
      title: `Publish the next version of ${replaces.name}?`,
      effect:
        'New deployments trade by these rules. Deployments that run keep their version, and their owners are told what they can do.',
    };
  if (action === 'publish')
    return {
      look,
      does: 'to publish this strategy',
      title: `Publish ${name}?`,
      effect:
        'Everybody sees it with its figures, and clients can deploy it. Its rules change by a next version, which two people publish.',
    };
  return {
    does: 'to retire this strategy',
    title: `Retire ${name}?`,
    effect: `Nobody can deploy it any more. ${
      deployments === 0
        ? 'Nobody has it deployed.'
        : until === null
          ? `${showCounted(deployments, 'deployment')} go on trading by it, and their owners are told.`
          : `${showCounted(deployments, 'deployment')} end after the close of ${showDate(until)}, and their owners are told now.`
    }`,
  };
}

/** What the attack found, and the way to all that there is to look at. */
function LookFirst({ id }: { id: string }) {
  const checks = useCatalogueStrategy(id).data?.checks ?? null;
  return (
    <div className="grid gap-2">
      {checks?.attack && (
        <p>
          The attack found “{checks.attack.word}”.
          {checks.accepted && ` ${checks.accepted.name}, who wrote it, accepted that by name.`}
        </p>
      )}
      <p>
        <TextLink to={`/catalogue/${id}`}>See the attack and the rules first</TextLink>
      </p>
    </div>
  );
}

function Dialog({
  action,
  entry,
  onClose,
}: {
  action: 'publish' | 'retire';
  entry: CatalogueEntry;
  onClose: () => void;
}) {
  const propose = usePropose();
  const [day, setDay] = useState('');
  const { title, effect } = approvalOf(action, entry);
  const until = action === 'retire' && day !== '' ? { until: day } : {};
  return (
    <ProposeDialog
      title={title}
      description={`Another person must approve it. ${effect}`}
      action="Propose"
      placeholder={action === 'publish' ? 'its figures are checked' : 'its market is closing'}
      mutation={propose}
      onConfirm={(reason) =>
        propose.mutate({ action, subject: entry.id, reason, ...until }, { onSuccess: onClose })
      }
      onClose={onClose}
    >
      {action === 'retire' && entry.deployments > 0 && (
        <Field
          label="Last day"
          hint={`After the close of this day of the market its deployments end; their owners are told which. At least ${END_NOTICE_DAYS} days ahead. Empty: they go on until their owners end them.`}
        >
          {(wiring) => (
            <TextInput {...wiring} type="date" value={day} onChange={(event) => setDay(event.target.value)} />
          )}
        </Field>
      )}
    </ProposeDialog>
  );
}
