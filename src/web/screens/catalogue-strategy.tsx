import { Navigate, useNavigate, useParams } from 'react-router';
import type { CatalogueStrategy, CatalogueVersion } from '#contract/operations/catalogue.ts';
import type { Proposal } from '#contract/operations/proposal.ts';
import { sentenceOf } from '../call/call-error.ts';
import { useUser } from '../call/session.tsx';
import { Button } from '../kit/control/button.tsx';
import { TextLink } from '../kit/control/text-link.tsx';
import { showCounted, showDate, showDateTime, showMoney } from '../kit/figure/show-figure.ts';
import { Stat } from '../kit/figure/stat.tsx';
import { PageTitle } from '../kit/page/page-title.tsx';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { usePageTitle } from '../kit/page/use-page-title.ts';
import { Badge } from '../kit/state/badge.tsx';
import { ErrorState } from '../kit/state/error-state.tsx';
import { LoadingText } from '../kit/state/loading-text.tsx';
import { Notice } from '../kit/state/notice.tsx';
import { ClaimDesk } from '../operations/claim-desk.tsx';
import { CapacityLimit } from '../operations/capacity-limit.tsx';
import { useCatalogueStrategy, useWriteNextVersion } from '../operations/catalogue-queries.ts';
import { isNotFound } from '../strategies/strategy-queries.ts';
import { AttackFound } from '../strategy-builder/attack-panel.tsx';
import { RuleChanges } from '../strategy-builder/rule-changes.tsx';
import { draftAddress } from '../strategy-builder/draft-address.ts';

/** One strategy as its provider sees it. For everyone but the provider's staff the page does not exist. */
export function CatalogueStrategyPage() {
  const { role } = useUser();
  const { id = '' } = useParams();
  return role === 'provider' ? <Desk id={id} /> : <Navigate to="/" replace />;
}

function Desk({ id }: { id: string }) {
  const { data: strategy, error, isPending, refetch } = useCatalogueStrategy(id);
  usePageTitle(strategy?.name ?? 'Catalogue');
  if (isPending) return <LoadingText>Loading the strategy...</LoadingText>;
  if (strategy === undefined)
    return (
      <ErrorState
        heading="h1"
        title={isNotFound(error) ? 'Strategy not found' : 'The strategy could not be loaded'}
        onRetry={isNotFound(error) ? undefined : () => void refetch()}
        action={<TextLink to="/catalogue">Back to the catalogue</TextLink>}
      />
    );
  return (
    <>
      <p className="mb-4 text-sm">
        <TextLink to="/catalogue">Back to the catalogue</TextLink>
      </p>
      <PageTitle lead={strategy.short_description} actions={<NextVersion strategy={strategy} />}>
        {strategy.name}
      </PageTitle>
      <p className="mt-4 flex flex-wrap items-center gap-3 text-sm">
        <Badge>{STATUS_WORDS[strategy.status]}</Badge>
        {strategy.has_result && <TextLink to={`/strategy/${id}`}>As clients see it</TextLink>}
        {strategy.replaces !== null && (
          <span className="text-ink-soft">
            To become the next version of{' '}
            <TextLink to={`/catalogue/${strategy.replaces.id}`}>{strategy.replaces.name}</TextLink>
          </span>
        )}
      </p>
      <div className="mt-8 grid gap-12">
        <Checks strategy={strategy} />
        <Figures strategy={strategy} />
        <CapacityLimit strategy={strategy} />
        <ClaimDesk strategy={strategy} />
        <Versions versions={strategy.versions} />
        <InWork drafts={strategy.next_versions} />
        <Decisions proposals={strategy.proposals} />
      </div>
    </>
  );
}

/** All that two people look at before they publish a draft. */
function Checks({ strategy: { checks, versions, replaces } }: { strategy: CatalogueStrategy }) {
  const version = versions[0];
  if (checks === null || version === undefined) return null;
  const { note, attack, accepted, published } = checks;
  return (
    <section aria-labelledby="checks">
      <SectionTitle
        id="checks"
        note="The second person looks at all of it, and says what they looked at."
        aside={attack && <Badge>{attack.word}</Badge>}
      >
        Before it is published
      </SectionTitle>
      <div className="mt-4 grid gap-6">
        {note !== null && <Notice>{note}</Notice>}
        {attack && <AttackFound attack={attack} />}
        {accepted && (
          <p className="text-ink-soft">
            {accepted.name}, who wrote it, accepted “{attack?.word}” by name on {showDateTime(accepted.at)}.
          </p>
        )}
        {published && replaces && (
          <div>
            <h3 className="mb-2 font-medium">
              What changes from version {published.number} of {replaces.name}
            </h3>
            <RuleChanges version={version} before={published} />
          </div>
        )}
      </div>
    </section>
  );
}

const STATUS_WORDS = { draft: 'Draft', published: 'Published', retired: 'Retired' } as const;

function NextVersion({ strategy: { id, status } }: { strategy: CatalogueStrategy }) {
  const write = useWriteNextVersion(id);
  const navigate = useNavigate();
  if (status !== 'published') return null;
  return (
    <div className="grid justify-items-end gap-2">
      <Button
        variant="secondary"
        busy={write.isPending}
        busyLabel="Copying..."
        onClick={() =>
          write.mutate(undefined, { onSuccess: (draft) => void navigate(draftAddress(draft.id)) })
        }
      >
        Write the Next Version
      </Button>
      {write.isError && (
        <Notice tone="failure">{sentenceOf(write.error, 'No draft was made. Please try again.')}</Notice>
      )}
    </div>
  );
}

function Figures({ strategy: { followers, fees } }: { strategy: CatalogueStrategy }) {
  const open = fees.billed - fees.credited - fees.paid;
  return (
    <section aria-labelledby="followers">
      <SectionTitle id="followers" note="Real money only; deployments that have not ended.">
        Followers and fees
      </SectionTitle>
      <dl className="mt-6 grid grid-cols-2 gap-x-8 gap-y-6 lg:grid-cols-4">
        <Stat
          label="Clients"
          note={`${showCounted(followers.deployments, 'deployment')}, and ${followers.practice} in practice`}
        >
          {followers.clients}
        </Stat>
        <Stat label="Value" note={`${showMoney(followers.invested, { cents: 'auto' })} put in`}>
          {showMoney(followers.equity)}
        </Stat>
        <Stat
          label="Fees billed"
          note={
            fees.credited === 0
              ? 'Since the first deployment'
              : `Of which ${showMoney(fees.credited)} was given back`
          }
        >
          {showMoney(fees.billed)}
        </Stat>
        <Stat label="Fees paid" note={open > 0 ? `${showMoney(open)} is open` : 'Nothing is open'}>
          {showMoney(fees.paid)}
        </Stat>
      </dl>
    </section>
  );
}

function Versions({ versions }: { versions: readonly CatalogueVersion[] }) {
  return (
    <section aria-labelledby="versions">
      <SectionTitle
        id="versions"
        note="A version never changes. Deployments keep theirs until their owner deploys another."
      >
        Versions
      </SectionTitle>
      <ol className="mt-4 border-t">
        {versions.map((version, place) => (
          <li key={version.id} className="grid gap-3 border-b py-5">
            <p className="figures flex flex-wrap items-baseline gap-x-3 gap-y-1">
              <span className="font-medium">Version {version.number}</span>
              <span className="text-sm text-ink-faint">
                since {showDate(version.committed_at)}.{' '}
                {version.deployments === 0
                  ? 'Nobody trades by it.'
                  : `${showCounted(version.deployments, 'deployment')} of ${showCounted(version.clients, 'client')}, worth ${showMoney(version.equity)}.`}
              </span>
            </p>
            <RuleChanges version={version} before={versions[place + 1]} />
          </li>
        ))}
      </ol>
    </section>
  );
}

function InWork({ drafts }: { drafts: CatalogueStrategy['next_versions'] }) {
  if (drafts.length === 0) return null;
  return (
    <section aria-labelledby="in-work">
      <SectionTitle id="in-work" note="Drafts of the provider’s staff. Two people publish one.">
        Next versions
      </SectionTitle>
      <ul className="mt-4 border-t">
        {drafts.map(({ id, name, author }) => (
          <li key={id} className="flex flex-wrap items-baseline gap-x-4 gap-y-1 border-b py-3">
            <TextLink to={`/catalogue/${id}`}>{name}</TextLink>
            <span className="text-sm text-ink-faint">{author === null ? '' : `by ${author}`}</span>
          </li>
        ))}
      </ul>
    </section>
  );
}

function Decisions({ proposals }: { proposals: readonly Proposal[] }) {
  if (proposals.length === 0) return null;
  return (
    <section aria-labelledby="decisions">
      <SectionTitle id="decisions" note="One person proposes, another decides.">
        Decisions
      </SectionTitle>
      <ul className="mt-4 border-t">
        {proposals.map((one) => (
          <li key={one.id} className="border-b py-3 text-sm">
            <p>
              {one.action === 'publish' ? 'Publish' : 'Retire'}: {one.reason}
            </p>
            <p className="figures mt-1 text-ink-faint">
              Proposed by {one.proposed_by}, {showDateTime(one.proposed_at)}. {outcomeOf(one)}
            </p>
          </li>
        ))}
      </ul>
    </section>
  );
}

function outcomeOf({ status, decided_at: at, outcome }: Proposal): string {
  const when = at === null ? '' : `, ${showDateTime(at)}`;
  switch (status) {
    case 'open':
      return 'It waits for a second person.';
    case 'declined':
      return `Declined${when}${outcome === null ? '' : `: ${outcome}`}.`;
    case 'void':
      return `Void${when}: it had changed since.`;
    default:
      return `Done${when}${outcome === null ? '' : `: ${outcome}`}.`;
  }
}
