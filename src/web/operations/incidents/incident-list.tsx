import { BookOpen, TriangleAlert } from 'lucide-react';
import type { Incident } from '#contract/operations/incident.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { showCount, showCounted, showMoney } from '../../kit/figure/show-figure.ts';
import { Wait } from '../wait.tsx';
import { decisionPlace } from './decision-place.ts';
import { MOVES } from './incident-moves.ts';
import { IncidentNote } from './incident-note.tsx';

const SEVERITIES = [
  { severity: 'act_now', title: 'Act now', note: 'Money may be at risk, or nothing trades.' },
  { severity: 'today', title: 'Today', note: 'A decision is due before the next session.' },
  { severity: 'watch', title: 'Watch', note: 'Expected to pass. What lasts moves up.' },
] as const;

/** Everything that is wrong now: the worst first, and of these the oldest. */
export function IncidentList({ desk }: { desk: OperationsDesk }) {
  const { results, has_more: hasMore } = desk.incidents;
  return (
    <section aria-labelledby="incidents" className="grid gap-6">
      <SectionTitle
        id="incidents"
        note={results.length > 0 && 'Each opens and ends where the product sees it.'}
      >
        Incidents
        {results.length > 0 && (
          <span className="figures ml-3 font-sans text-sm text-ink-soft">
            {showCount(results.length)}
            {hasMore && ' or more'}
          </span>
        )}
      </SectionTitle>
      {results.length === 0 && <p className="border-y py-5 text-ink-soft">No open incidents.</p>}
      {SEVERITIES.map(({ severity, title, note }) => {
        const incidents = results.filter((one) => one.severity === severity);
        if (incidents.length === 0) return null;
        return (
          <div key={severity} className="grid gap-2">
            <h3 className="flex flex-wrap items-baseline gap-x-3 text-sm">
              <span className={severity === 'act_now' ? 'font-medium text-caution' : 'font-medium'}>
                {title}
              </span>
              <span className="text-ink-faint">{note}</span>
            </h3>
            <ul className="border-y">
              {incidents.map((incident) => (
                <IncidentRow key={incident.id} incident={incident} asOf={desk.as_of} />
              ))}
            </ul>
          </div>
        );
      })}
      {hasMore && (
        <p className="text-sm text-ink-soft">Only the {showCount(results.length)} worst are shown.</p>
      )}
    </section>
  );
}

function IncidentRow({ incident, asOf }: { incident: Incident; asOf: string }) {
  const { id, severity, title, meaning, next_step: nextStep, quote, since } = incident;
  const place = placeOf(incident);
  const decision = decisionPlace(incident.kind);
  return (
    <li
      id={`incident-${id}`}
      className="grid gap-x-10 gap-y-4 border-b py-5 last:border-0 lg:grid-cols-[minmax(0,1fr)_15rem]"
    >
      <div className="flex min-w-0 gap-3">
        {severity === 'act_now' && (
          <TriangleAlert className="mt-1 size-4 shrink-0 text-caution" aria-hidden="true" />
        )}
        <div className="min-w-0 max-w-[68ch]">
          <h4 className="font-medium">
            {title}
            {place !== '' && <span className="font-normal wrap-anywhere text-ink-soft">: {place}</span>}
          </h4>
          <p className="mt-1 text-ink-soft">{meaning}</p>
          <p className="mt-2">{nextStep}</p>
          {quote !== null && quote !== '' && (
            <p className="mt-2 border-l pl-3 text-sm wrap-anywhere text-ink-faint">{quote}</p>
          )}
          <p className="mt-3 flex flex-wrap gap-x-5 gap-y-1 text-sm">
            {decision !== null && (
              <a
                className="text-accent hover:underline"
                href={`#${decision.section}`}
                aria-label={`${decision.label}: ${title}, ${place}`}
              >
                {decision.label}
              </a>
            )}
            <a
              className="inline-flex items-center gap-1.5 text-accent hover:underline"
              href={`/api/runbook#${incident.runbook}`}
              target="_blank"
              rel="noreferrer"
              aria-label={`Runbook: ${title}`}
            >
              <BookOpen className="size-3.5" aria-hidden="true" />
              Runbook
            </a>
          </p>
          <IncidentNote incident={incident} about={place === '' ? title : `${title}, ${place}`} />
        </div>
      </div>
      <IncidentFacts incident={incident} since={since} asOf={asOf} />
    </li>
  );
}

function IncidentFacts({ incident, since, asOf }: { incident: Incident; since: string; asOf: string }) {
  const { deployments, equity, exits_waiting: exits, clients, whose_move: move } = incident;
  return (
    <dl className="grid content-start gap-y-1 text-sm text-ink-soft max-lg:grid-cols-2 max-lg:gap-x-6">
      <div>
        <dt className="sr-only">Open for</dt>
        <dd className="text-ink">
          <Wait since={since} until={asOf} />
        </dd>
      </div>
      <div>
        <dt className="sr-only">Whose move</dt>
        <dd className={move === 'staff' ? 'text-ink' : undefined}>{MOVES[move]}</dd>
      </div>
      {deployments > 0 && (
        <div className="max-lg:col-span-2">
          <dt className="sr-only">Behind it</dt>
          <dd className="figures">
            {showMoney(equity)} in {showCounted(deployments, 'deployment')}
          </dd>
        </div>
      )}
      {exits > 0 && (
        <div>
          <dt className="sr-only">Waiting</dt>
          <dd className="text-caution">{exits === 1 ? '1 exit waits' : `${showCount(exits)} exits wait`}</dd>
        </div>
      )}
      {clients.length > 0 && (
        <div className="min-w-0 max-lg:col-span-2">
          <dt className="sr-only">Clients</dt>
          <dd className="wrap-anywhere text-ink-faint">
            {clients.length <= NAMED_MAX ? clients.join(', ') : showCounted(clients.length, 'client')}
          </dd>
        </div>
      )}
    </dl>
  );
}

const NAMED_MAX = 2;

function placeOf({ symbol, account, broker_name: broker, strategies, deployments }: Incident): string {
  const strategy = deployments === 1 || account === null ? strategies.slice(0, 1) : [];
  return [symbol, ...strategy, account, broker].filter((one) => one !== null && one !== undefined).join(', ');
}
