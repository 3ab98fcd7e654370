import type { DeskConnection } from '#contract/operations/desk-connection.ts';
import type { OperationsDesk } from '#contract/operations/operations.ts';
import { showCounted, showDateTime, showMoney } from '../../kit/figure/show-figure.ts';
import { Facts } from '../facts.tsx';
import { Wait } from '../wait.tsx';
import { WaitingList } from '../waiting-list.tsx';

/** Broker connections that do not simply work, the most money behind them first. */
export function ConnectionList({ desk }: { desk: OperationsDesk }) {
  const connected = desk.running.connections.find(({ state }) => state === 'connected')?.count ?? 0;
  const works = `${showCounted(connected, 'connection')} with deployments ${connected === 1 ? 'works' : 'work'}.`;
  return (
    <WaitingList
      id="connections"
      title="Connections"
      note={`No orders leave through these. ${connected === 0 ? 'No other has deployments.' : works}`}
      none={connected === 0 ? 'No connection has deployments.' : works}
      list={desk.connections}
    >
      {desk.connections.results.map((connection) => (
        <ConnectionRow key={connection.id} connection={connection} asOf={desk.as_of} />
      ))}
    </WaitingList>
  );
}

function ConnectionRow({ connection, asOf }: { connection: DeskConnection; asOf: string }) {
  const { client, title, quote, since, until, reconciled_at: reconciledAt } = connection;
  return (
    <li className="grid gap-4 border-b py-5 last:border-0">
      <div className="min-w-0">
        <h3 className="font-medium">
          {title}
          <span className="font-normal wrap-anywhere text-ink-soft">
            : {connection.account ?? 'no account yet'}, {connection.broker_name}
          </span>
        </h3>
        <p className="text-sm wrap-anywhere text-ink-faint">{client}</p>
        {quote !== null && <p className="mt-1 text-sm wrap-anywhere text-ink-soft">{quote}</p>}
      </div>
      <Facts
        facts={[
          ['For', <Wait key="since" since={since} until={asOf} />],
          ['Last reconciled', reconciledAt === null ? 'never' : showDateTime(reconciledAt)],
          [
            'Behind it',
            `${showMoney(connection.equity)} in ${showCounted(connection.deployments, 'deployment')}`,
          ],
          ...(until === null ? [] : [['Expected back', showDateTime(until)] as const]),
        ]}
      />
    </li>
  );
}
