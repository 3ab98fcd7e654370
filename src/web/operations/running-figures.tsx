import type { ReactNode } from 'react';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { SectionTitle } from '../kit/page/section-title.tsx';
import { showCount, showCounted, showNumber } from '../kit/figure/show-figure.ts';
import { Wait } from './wait.tsx';

/** How the product runs now, whether anything is wrong or not: what to compare with when something is. */
export function RunningFigures({ desk }: { desk: OperationsDesk }) {
  const rows: readonly (readonly [name: string, value: ReactNode])[] = [
    ['Lag', <Lag key="lag" desk={desk} />],
    ['Orders', ordersOf(desk)],
    ['Prices', pricesOf(desk)],
    ['Connections', connectionsOf(desk)],
    ['Background jobs', <Jobs key="jobs" desk={desk} />],
    ['Alerts', alertsOf(desk)],
  ];
  return (
    <section aria-labelledby="running" className="grid gap-4">
      <SectionTitle id="running" note="The same figures as the metrics, read with this page.">
        Running now
      </SectionTitle>
      <dl className="border-y">
        {rows.map(([name, value]) => (
          <div
            key={name}
            className="grid gap-x-6 gap-y-1 border-b py-3 text-sm last:border-0 sm:grid-cols-[14rem_minmax(0,1fr)]"
          >
            <dt className="text-ink-faint">{name}</dt>
            <dd className="figures wrap-anywhere">{value}</dd>
          </div>
        ))}
      </dl>
    </section>
  );
}

function Lag({ desk: { trader_seen_at: seenAt, as_of: asOf, running } }: { desk: OperationsDesk }) {
  if (seenAt === null) return 'The trader has never run here.';
  const seconds = Math.max(0, Math.round((Date.parse(asOf) - Date.parse(seenAt)) / 1_000));
  const { round_seconds: round } = running;
  return (
    <>
      Trader seen {seconds < 60 ? showCounted(seconds, 'second') : <Wait since={seenAt} until={asOf} />} ago
      {round === null ? '.' : `. Its last round took ${showNumber(round, round < 10 ? 1 : 0)} seconds.`}
    </>
  );
}

function ordersOf({ running: { orders } }: OperationsDesk): string {
  const { intended, sending, working, unknown } = orders;
  return `${showCount(intended)} to send, ${showCount(sending)} on the way, ${showCount(working)} at brokers, ${showCount(unknown)} unconfirmed.`;
}

function pricesOf({ running: { feeds }, trader_seen_at: seenAt }: OperationsDesk): string {
  if (seenAt === null) return 'Known once the trader has run.';
  if (feeds === null) return 'The market did not answer in the last round.';
  const { vendors, accepted, missing, refused, doubted, halted } = feeds;
  const from = vendors.length === 0 ? 'Simulated or past prices' : `From ${vendors.join(', ')}`;
  return `${from}: ${showCount(accepted)} usable, ${showCount(missing)} missing, ${showCount(refused)} refused, ${showCount(doubted)} doubted. Trading is halted in ${showCount(halted)}.`;
}

function connectionsOf({ running: { connections } }: OperationsDesk): string {
  const of = (wanted: 'works' | 'does not') =>
    connections.reduce(
      (sum, { state, count }) => sum + ((state === 'connected') === (wanted === 'works') ? count : 0),
      0,
    );
  return `${showCount(of('works'))} with deployments work, ${showCount(of('does not'))} do not.`;
}

function Jobs({ desk: { running, as_of: asOf } }: { desk: OperationsDesk }) {
  const { jobs } = running;
  const busy = jobs.filter((job) => job.waiting > 0 || job.running > 0);
  if (busy.length === 0) return 'None waits and none runs.';
  return (
    <ul className="grid gap-1">
      {busy.map(({ queue, title, waiting, running: atWork, oldest_at: oldestAt }) => (
        <li key={queue}>
          {title}: {showCount(waiting)} waiting
          {oldestAt !== null && (
            <>
              {' '}
              for <Wait since={oldestAt} until={asOf} />
            </>
          )}
          , {showCount(atWork)} running.
        </li>
      ))}
    </ul>
  );
}

function alertsOf({ running: { incidents, jobs }, dead_letters: letters }: OperationsDesk): string {
  const { act_now: actNow, today, watch } = incidents;
  const waiting = jobs.find(({ queue }) => queue === 'alarms')?.waiting ?? 0;
  const failed = letters.results.filter(({ kind }) => kind === 'alarm').length;
  const undelivered = waiting + failed;
  const open = `${showCount(actNow)} to act on now, ${showCount(today)} for today, ${showCount(watch)} to watch`;
  return `${open}. ${undelivered === 0 ? 'Every alarm has left.' : `${showCounted(undelivered, 'alarm')} could not be delivered yet.`}`;
}
