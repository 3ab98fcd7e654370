// What a fill costs in statements, from the report of the stream to the books: of one account at a time, of many at once, and of one order
// in many parts. Statements are counted, not timed, so that the machine's load does not matter. `--accounts=N` takes any number.
import { rmSync, mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { parseArgs } from 'node:util';
import type { BrokerExecution } from '#ports/broker.ts';
import { startDatabase } from '#processes/database/embedded-postgres.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { bookNews } from '#trader/reconciliation/book-news.ts';
import type { ExecutionId, Symbol } from '#units/identifiers.ts';
import { toMicro } from '#units/money.ts';
import type { Quantity } from '#units/quantity.ts';
import { ownerPool, type TestDatabase } from '../tests/support/test-database.ts';
import { markSent, NOW, type PlacedOrder, tradingFloor } from '../tests/support/trading-floor.ts';
import type { TradingPerson } from '../tests/support/trading-rows.ts';
import { watchStatements } from './watch-statements.ts';

const { values: options } = parseArgs({ options: { accounts: { type: 'string', default: '64' } } });
const accounts = Number(options.accounts);
const PARTS = 8;

let statements = 0;
watchStatements(() => (statements += 1));
const dataDir = mkdtempSync(path.join(tmpdir(), 'bellwether-bench-'));
const server = await startDatabase(dataDir);
try {
  const { url, ownerUrl } = await server.openOther('fills');
  await migrateAsOwner(ownerUrl);
  const handle = openDatabase(url);
  const owner = ownerPool(ownerUrl);
  await measure({ ...handle, url, owner, ownerUrl });
  await handle.close();
  await owner.end();
} finally {
  await server.stop();
  rmSync(dataDir, { recursive: true, force: true });
  rmSync(server.home, { recursive: true, force: true });
}
process.exit();

async function measure(records: TestDatabase): Promise<void> {
  const floor = await tradingFloor(records);
  const join = async () => {
    const person = await floor.person();
    const [placed] = (await floor.order(person, [await floor.deploy(person)])) as [PlacedOrder];
    await markSent(records, [placed]);
    return { person, placed, active: floor.connect(person) };
  };
  type Client = Awaited<ReturnType<typeof join>>;
  const clients = async (count: number) => {
    const all: Client[] = [];
    for (let n = 0; n < count; n++) all.push(await join());
    // The first fill of a connection also records that its lists could be read.
    for (const { person, placed, active } of all)
      await bookNews(floor.context, active, partsOf(person, placed).slice(0, 1));
    return all;
  };
  const book = ({ person, placed, active }: Client, parts: number) =>
    bookNews(floor.context, active, partsOf(person, placed).slice(1, 1 + parts));
  const booked = async () => {
    const { rows } = await records.pool.query<{ fills: number }>('select count(*)::int as fills from fills');
    return rows[0]!.fills;
  };
  const show = async (what: string, fills: number, work: () => Promise<unknown>) => {
    const before = await booked();
    statements = 0;
    await work();
    const counted = statements;
    const after = await booked();
    if (after - before !== fills) throw new Error(`${after - before} of ${fills} fills are booked`);
    console.log(`${what}: ${(counted / fills).toFixed(1)} statements a fill (${counted} for ${fills})`);
  };
  const lone = await clients(8);
  await show('one account at a time, a fill each', lone.length, async () => {
    for (const client of lone) await book(client, 1);
  });
  const many = await clients(accounts);
  await show(`${accounts} accounts at once, a fill each`, accounts, () =>
    Promise.all(many.map((client) => book(client, 1))),
  );
  const [parted] = await clients(1);
  await show(`${PARTS} parts of an order that arrive together`, PARTS, () => book(parted!, PARTS));
}

function partsOf(person: TradingPerson, { order }: PlacedOrder): BrokerExecution[] {
  const part = Math.floor(order.quantity / (PARTS + 1));
  return Array.from({ length: PARTS + 1 }, (_, n) => ({
    executionId: `${person.account}-${n}` as ExecutionId,
    clientOrderId: order.clientOrderId,
    brokerOrderId: `B-${person.account}`,
    symbol: 'AAA' as Symbol,
    brokerInstrumentId: '1',
    side: 'buy',
    quantity: (n === PARTS ? order.quantity - part * n : part) as Quantity,
    price: 100,
    commission: toMicro(1),
    at: NOW,
  }));
}
