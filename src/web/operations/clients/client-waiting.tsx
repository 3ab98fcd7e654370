import type { Client, ClientWait } from '#contract/operations/clients.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Wait } from '../wait.tsx';

const QUEUES: Readonly<Record<ClientWait['queue'], string>> = {
  incident: 'Incident',
  unconfirmed_order: 'Unconfirmed order',
  difference: 'Difference of a position',
  cash_difference: 'Difference of cash',
  liquidation: 'Liquidation request',
};

/** What the desk has about this client, with its age. It is decided at the desk. */
export function ClientWaiting({ client }: { client: Client }) {
  const { waiting, as_of: asOf, market_at: marketAt } = client;
  return (
    <section className="grid gap-4" aria-labelledby="client-waiting">
      <SectionTitle id="client-waiting" note="The longest waiting first. Decide it at the operations desk.">
        Waiting
      </SectionTitle>
      {waiting.length === 0 ? (
        <p className="text-sm text-ink-soft">Nothing of this client waits for anybody.</p>
      ) : (
        <ul className="border-y">
          {waiting.map(({ queue, id, about, since, clock }) => (
            <li key={`${queue} ${id}`} className="flex flex-wrap gap-x-6 gap-y-1 border-b py-3 last:border-0">
              <p className="min-w-0 flex-1 basis-64 wrap-anywhere">
                {about}
                <span className="ml-3 text-sm text-ink-faint">{QUEUES[queue]}</span>
              </p>
              <p className="text-sm text-ink-soft">
                <Wait since={since} until={clock === 'market' ? (marketAt ?? asOf) : asOf} />
                {clock === 'market' && ' of market time'}
              </p>
            </li>
          ))}
        </ul>
      )}
    </section>
  );
}
