// What the product has in its books of one account against what the broker has in its own, as lines that name what
// differs. No lines mean that both agree.
import { ask } from '#tests/support/both-books.ts';
import type { Books } from './books.ts';

type Compared = { readonly books: Books; readonly account: string; readonly databaseUrl: string };

/** What the deployments hold together is what the broker holds beyond the client's own. */
export async function holdingDifferences({ books, account, databaseUrl }: Compared): Promise<string[]> {
  const rows = await ask(
    databaseUrl,
    `select p.symbol, sum(p.quantity) as units from positions p
     join deployments d on d.id = p.deployment_id
     join broker_connections c on c.id = d.broker_connection_id
     where c.account_id = '${account}' group by p.symbol`,
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
