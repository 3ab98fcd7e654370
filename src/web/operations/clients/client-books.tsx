import type { Client, ClientConnection, ClientDeployment } from '#contract/operations/clients.ts';
import { STATUS_LABELS } from '#rules/deployments/status-label.ts';
import { type Column, DataTable } from '../../kit/figure/data-table.tsx';
import { showDate, showDateTime, showMoney } from '../../kit/figure/show-figure.ts';
import { SectionTitle } from '../../kit/page/section-title.tsx';
import { Facts } from '../facts.tsx';

/** Accounts with the state of their connections, deployments, and cash that nobody can explain. */
export function ClientBooks({ client }: { client: Client }) {
  const { connections, deployments, cash_differences: cash } = client;
  return (
    <>
      <section className="grid gap-4" aria-labelledby="client-accounts">
        <SectionTitle id="client-accounts">Accounts</SectionTitle>
        {connections.length === 0 ? (
          <p className="text-sm text-ink-soft">No broker is connected.</p>
        ) : (
          <ul className="border-y">
            {connections.map((connection) => (
              <ConnectionRow key={connection.id} connection={connection} />
            ))}
          </ul>
        )}
      </section>
      <section className="grid gap-4" aria-labelledby="client-deployments">
        <SectionTitle id="client-deployments">Deployments</SectionTitle>
        {deployments.length === 0 ? (
          <p className="text-sm text-ink-soft">No deployments.</p>
        ) : (
          <DataTable
            caption="Deployments of this client"
            columns={COLUMNS}
            rows={deployments}
            rowKey={({ id }) => id}
          />
        )}
      </section>
      <section className="grid gap-4" aria-labelledby="client-cash">
        <SectionTitle id="client-cash">Differences of cash</SectionTitle>
        {cash.length === 0 ? (
          <p className="text-sm text-ink-soft">All cash of the accounts is explained.</p>
        ) : (
          <ul className="border-y">
            {cash.map(({ id, account, currency, amount, date, since }) => (
              <li key={id} className="border-b py-4 last:border-0">
                <Facts
                  facts={[
                    ['Account', account],
                    ['Unexplained', showMoney(amount, { currency, sign: true })],
                    ['First on the statement of', showDate(date)],
                    ['Noticed', showDateTime(since)],
                  ]}
                />
              </li>
            ))}
          </ul>
        )}
      </section>
    </>
  );
}

function ConnectionRow({ connection }: { connection: ClientConnection }) {
  const {
    broker_name: broker,
    account,
    connection_status: status,
    session,
    failure_reason: failure,
  } = connection;
  return (
    <li className="grid gap-3 border-b py-4 last:border-0">
      <p className="font-medium wrap-anywhere">
        {broker}
        {connection.is_paper === true && (
          <span className="ml-3 text-sm font-normal text-ink-faint">practice money</span>
        )}
      </p>
      <Facts
        facts={[
          ['Account', account ?? 'None yet'],
          ['Connection', STATES[status]],
          ['State', session === null ? 'No deployment needs it' : session.title],
          ['Since', session?.since ? showDateTime(session.since) : '–'],
          ['Books and broker compared', session?.reconciled_at ? showDateTime(session.reconciled_at) : '–'],
          ['Connected', connection.connected_at === null ? '–' : showDateTime(connection.connected_at)],
        ]}
      />
      {failure !== null && <p className="text-sm text-caution">{failure}</p>}
    </li>
  );
}

const STATES: Readonly<Record<ClientConnection['connection_status'], string>> = {
  pending: 'Waits for the sign-in',
  choose_account: 'Waits for a choice of account',
  active: 'Active',
  failed: 'Failed',
  revoked: 'Removed',
};

const COLUMNS: readonly Column<ClientDeployment>[] = [
  {
    key: 'strategy',
    header: 'Strategy',
    cell: ({ strategy_name: name, mode }) => (mode === 'practice' ? `${name} (practice)` : name),
  },
  { key: 'status', header: 'State', cell: ({ status }) => STATUS_LABELS[status] },
  { key: 'account', header: 'Account', cell: ({ account }) => account ?? '–' },
  {
    key: 'investment',
    header: 'Invested',
    align: 'right',
    cell: ({ investment }) => showMoney(investment),
  },
  { key: 'cash', header: 'Cash', align: 'right', cell: ({ cash }) => showMoney(cash) },
  { key: 'equity', header: 'Value', align: 'right', cell: ({ equity }) => showMoney(equity) },
  { key: 'realized', header: 'Realized', align: 'right', cell: ({ realized }) => showMoney(realized) },
  {
    key: 'since',
    header: 'Since (market time)',
    cell: ({ deployed_at: since, ended_at: until }) =>
      until === null ? showDate(since) : `${showDate(since)} to ${showDate(until)}`,
  },
];
