// What the product has in its books of one account against what the broker has in its own, as lines that name what
// differs. No lines mean that both agree.
import { accountOfVendor } from '#units/account-of-vendor.ts';
import { ask } from '#tests/support/both-books.ts';
import type { Books, Execution } from './stand-in/books.ts';

type Compared = { readonly books: Books; readonly account: string; readonly databaseUrl: string };

/**
 * Every execution of the product's orders is booked once, as the broker has it; nothing else is. A commission that the
 * books call provisional may differ.
 */
export async function executionDifferences(compared: Compared): Promise<string[]> {
  const { books, account } = compared;
  const fills = await listFills(compared);
  const lineOf = (
    order: unknown,
    { units, price }: { units: number; price: number },
    commission: number | null,
  ) => `${String(order)} ${units} at ${price}, ${commission ?? 'provisional'}`;
  const executed = books.executions
    .filter(({ order }) => order.account === account && order.clientId !== null)
    .map((execution) => {
      const id = idOf(execution);
      const commission = fills.get(id)?.isProvisional === true ? null : execution.commission;
      return [id, lineOf(execution.order.clientId, execution, commission)];
    });
  const booked = [...fills].map(([id, fill]) => [
    id,
    lineOf(fill.order, fill, fill.isProvisional ? null : fill.commission),
  ]);
  return difference(executed, booked);
}

/** What the deployments hold together is what the broker holds beyond the client's own. */
export async function holdingDifferences({ books, account, databaseUrl }: Compared): Promise<string[]> {
  const rows = await ask(
    databaseUrl,
    `select p.symbol, sum(p.quantity) as units from positions p
     join deployments d on d.id = p.deployment_id
     join broker_connections c on c.id = d.broker_connection_id
     where c.account_id = '${stored(account)}' group by p.symbol`,
  );
  const { opening, positions } = books.account(account);
  const held = [...positions].flatMap(([symbol, { units }]) => {
    const ours = Number((units - (opening.holdings.get(symbol) ?? 0)).toFixed(8));
    return ours === 0 ? [] : [[symbol, String(ours)]];
  });
  return difference(
    held,
    rows.map(({ symbol, units }) => [String(symbol), String(Number(units))]),
  );
}

/** The change of the broker's cash is the change of the deployments' cash, to the cent, but for provisional commissions. */
export async function cashDifferences(compared: Compared): Promise<string[]> {
  const { books, account, databaseUrl } = compared;
  const fills = await listFills(compared);
  const [row] = await ask(
    databaseUrl,
    `select coalesce(sum(d.cash_micro - d.investment_micro), 0) as change from deployments d
     join broker_connections c on c.id = d.broker_connection_id where c.account_id = '${stored(account)}'`,
  );
  const { cash, opening } = books.account(account);
  const provisional = books.executions.reduce((sum, execution) => {
    const fill = fills.get(idOf(execution));
    return fill?.isProvisional === true ? sum + execution.commission - fill.commission : sum;
  }, 0);
  const theirs = ((cash - opening.cash) / 1e6 + provisional).toFixed(2);
  const ours = (Number(row?.['change']) / 1e6).toFixed(2);
  return theirs === ours ? [] : [`cash changed by ${theirs} at the broker and by ${ours} in the books`];
}

async function listFills({ account, databaseUrl }: Compared) {
  const rows = await ask(
    databaseUrl,
    `select f.execution_id as id, o.client_order_id as "order", f.quantity, f.price, f.commission_micro, f.is_provisional
     from fills f join orders o on o.id = f.order_id where f.account_id = '${stored(account)}'`,
  );
  return new Map(
    rows.map((row) => [
      String(row['id']),
      {
        order: row['order'],
        units: Number(row['quantity']),
        price: Number(row['price']),
        commission: Number(row['commission_micro']) / 1e6,
        isProvisional: row['is_provisional'] === true,
      },
    ]),
  );
}

/** In our records an account is its vendor and its number. */
function stored(account: string): string {
  return accountOfVendor('interactive-brokers', account);
}

function idOf({ stem, revision }: Execution): string {
  return `${stem}${String(revision).padStart(2, '0')}`;
}

function difference(theirs: readonly string[][], ours: readonly string[][]): string[] {
  const lines = new Map(ours.map(([id = '', line = '']) => [id, line]));
  const known = new Set(theirs.map(([id]) => id));
  return [
    ...theirs.flatMap(([id = '', line = '']) =>
      lines.get(id) === line
        ? []
        : [`${id}: ${line} at the broker, ${lines.get(id) ?? 'nothing'} in the books`],
    ),
    ...ours.flatMap(([id = '', line]) => (known.has(id) ? [] : [`${id}: ${line} in the books alone`])),
  ];
}
