// A world that trades is backed up, its data folder is destroyed, and it is restored while market and broker go on: to a chosen second, or
// as far as the archive goes. `npm run restore-drill` runs it larger, waits for the archive as the product does, and writes the figures.
import { appendFileSync, chmodSync, cpSync, existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { afterEach, expect, test } from 'vitest';
import { keepAnchors } from '#processes/anchors/keep-anchors.ts';
import { verifyLog } from '#processes/anchors/verify-log.ts';
import { takeBaseBackup } from '#processes/backup/base-backup.ts';
import { copyKeys } from '#processes/backup/copy-keys.ts';
import { restoreBackup } from '#processes/backup/restore-backup.ts';
import { type EmbeddedDatabase, startDatabase } from '#processes/database/embedded-postgres.ts';
import { openRoleDatabase } from '#processes/database/role-database.ts';
import { backupsOf, clusterIdOf, noteBackupFolder } from '#processes/database/wal-archive.ts';
import { openAnchorKey, withFormer } from '#processes/environment/anchor-key.ts';
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { migrateAsOwner } from '#records/postgres/migrate.ts';
import { traderOn } from '#tests/support/restored-world.ts';
import { ownerPool } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';

const DEPLOYMENTS = Number(process.env.RESTORE_DRILL_DEPLOYMENTS ?? 3);
const DAYS = Number(process.env.RESTORE_DRILL_DAYS ?? 2);
/** Whether it waits for the minute after which the product archives what it has, or asks for it at once. */
const WAITS = process.env.RESTORE_DRILL_WAITS === 'yes';

type Place = {
  readonly folder: string;
  readonly dataDir: string;
  readonly backupDir: string;
  readonly safe: string;
};

function makePlace(): Place {
  const folder = mkdtempSync(path.join(tmpdir(), 'restore-drill-'));
  chmodSync(folder, 0o755);
  const within = (name: string) => path.join(folder, name);
  return { folder, dataDir: within('data'), backupDir: within('backups'), safe: within('safe') };
}

const servers: EmbeddedDatabase[] = [];
const open: { close(): Promise<void> }[] = [];
const folders: string[] = [];
afterEach(async () => {
  for (const one of open.splice(0).toReversed()) await one.close().catch(() => undefined);
  for (const server of servers.splice(0)) {
    await server.stop();
    rmSync(server.home, { recursive: true, force: true });
  }
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

async function begin({ dataDir }: Place) {
  const server = await startDatabase(dataDir);
  servers.push(server);
  await migrateAsOwner(server.ownerUrl);
  return server;
}

/** What people and programs were told that it is in the records. */
const TABLES = [
  'audit_log',
  'orders',
  'fills',
  'ledger_entries',
  'notifications',
  'equity_marks',
  'targets',
] as const;
type Rows = ReadonlyMap<(typeof TABLES)[number], ReadonlySet<string>>;

async function readRows({ pool }: Pick<DatabaseHandle, 'pool'>): Promise<Rows> {
  const rows = new Map<(typeof TABLES)[number], ReadonlySet<string>>();
  for (const table of TABLES) {
    const { rows: found } = await pool.query(
      `select md5(t::text) as row from ${IMMUTABLE[table] ?? table} t`,
    );
    rows.set(table, new Set(found.map(({ row }) => row)));
  }
  return rows;
}

/** Of rows that change the part that stays. */
const IMMUTABLE: Partial<Record<(typeof TABLES)[number], string>> = {
  orders: '(select id, client_order_id, deployment_id from orders)',
  fills: '(select order_id, execution_id, quantity, price from fills)',
  notifications: '(select id, cause from notifications)',
  equity_marks: '(select deployment_id, date from equity_marks)',
};

const lessThan = (some: Rows, all: Rows) =>
  Object.fromEntries(
    TABLES.map((table) => [table, [...all.get(table)!].filter((row) => !some.get(table)!.has(row)).length]),
  );

const NOTHING = Object.fromEntries(TABLES.map((table) => [table, 0]));

const anchorKeys = ({ dataDir }: Place) => {
  const file = path.join(dataDir, 'keys', 'anchor-key.pem');
  return withFormer(openAnchorKey(file), file);
};

async function anchor(place: Place, { database }: Pick<DatabaseHandle, 'database'>) {
  const { dataDir } = place;
  const troubles: unknown[] = [];
  const note = async (error: unknown) => void troubles.push(error);
  await keepAnchors({
    database,
    dataDir,
    keys: async () => anchorKeys(place),
    send: async () => undefined,
    outcome: { onAnchored: async () => undefined, onError: note, onRewritten: note },
  }).stop();
  expect(troubles).toEqual([]);
}

const verifyAudit = (place: Place, { database }: Pick<DatabaseHandle, 'database'>) =>
  verifyLog({ database, dataDir: place.dataDir, keys: anchorKeys(place), collected: [], acceptedRow: 0 });

const POSITIONS = `select deployment_id, symbol, quantity::float8 as quantity from positions order by 1, 2`;

const LOSSES = ['a chosen second', 'the end of the archive'] as const;

test.each(LOSSES)(
  'a destroyed world is restored to %s, loses nothing acknowledged before it, and does nothing twice',
  {
    timeout: 1_200_000,
  },
  async (until) => {
    const isChosen = until === 'a chosen second';
    const place = makePlace();
    const { folder, dataDir, backupDir, safe } = place;
    folders.push(folder);
    noteBackupFolder(dataDir, backupDir);
    const server = await begin(place);
    const handle = openDatabase(server.url);
    open.push(handle);
    const owner = ownerPool(server.ownerUrl);
    owner.on('error', () => undefined);
    const world = await tradingWorld({ ...handle, url: server.url, owner, ownerUrl: server.ownerUrl });
    open.push({ close: () => world.trader.close() });
    const { market, venue } = world;
    const version = await world.addStrategy(BOTH_ABOVE_30);
    let day = 0;
    /** One of the two leaves or comes back at each close: the other keeps its units. */
    const close = async () => {
      market.setPrice(day % 4 < 2 ? 'AAA' : 'BBB', day % 2 === 0 ? 20 : day % 4 < 2 ? 100 : 40);
      day += 1;
      market.closeDay();
      await world.runTicks();
    };
    const fill = async () => {
      market.openDay();
      await world.runTicks();
    };
    market.closeDay();
    await world.runTicks();
    for (let i = 0; i < DEPLOYMENTS; i++) await world.deploy(version);
    await world.runTicks();
    await fill();
    await anchor(place, handle);

    // The backup is made while the world trades.
    const cluster = path.join(server.home, 'cluster');
    const backups = backupsOf(backupDir, clusterIdOf(cluster));
    const clock = performance.now();
    const [backup] = await Promise.all([
      takeBaseBackup({ dataDir, cluster, ownerUrl: server.ownerUrl, backups, now: Date.now }),
      close().then(fill),
    ]);
    const backupMs = performance.now() - clock;
    const keys = copyKeys(
      { dataDir, keyEncryptionKeyFile: path.join(dataDir, 'keys/none'), keyService: null, backupDir },
      safe,
      backup.startedAt,
    );
    for (let i = 0; i < DAYS; i++) await close().then(fill);

    // The chosen second: orders have been decided and sent, and none has filled.
    await close();
    await anchor(place, handle);
    const acknowledged = await readRows(handle);
    const [{ at, segment }] = (
      await owner.query(
        `select date_trunc('second', clock_timestamp()) + interval '1 second' as at, pg_walfile_name(pg_current_wal_lsn()) as segment`,
      )
    ).rows as [{ at: Date; segment: string }];
    await sleep(at.getTime() - Date.now() + 50);
    const sentThen = venue.orders.length;
    const tradeOn = async () => {
      await fill();
      for (let i = 0; i < DAYS; i++) await close().then(fill);
      await anchor(place, handle);
    };
    if (isChosen) await tradeOn();
    if (!WAITS) await owner.query('select pg_switch_wal()');
    for (;;) {
      const [{ newest }] = (await owner.query(`select last_archived_wal as newest from pg_stat_archiver`))
        .rows as [{ newest: string | null }];
      if (newest !== null && newest.slice(0, 24) >= segment) break;
      await sleep(200);
      if (WAITS) await world.runTicks(1);
    }
    const archivedMs = Date.now() - at.getTime();
    // What the archive has not got is gone with the disk.
    if (!isChosen) await tradeOn();
    const before = { rows: await readRows(handle), positions: (await handle.pool.query(POSITIONS)).rows };
    const sentBefore = venue.orders.length;
    expect(before.positions.length).toBeGreaterThan(0);
    expect(sentBefore).toBeGreaterThan(sentThen);

    // The data folder is gone, as with its disk; the trader and the server end with it.
    const lostAt = Date.now();
    process.kill(
      Number(readFileSync(path.join(cluster, 'postmaster.pid'), 'utf8').split('\n', 1)[0]),
      'SIGQUIT',
    );
    await world.trader.close().catch(() => undefined);
    await handle.close();
    await owner.end();
    await server.stop();
    rmSync(server.home, { recursive: true, force: true });
    rmSync(dataDir, { recursive: true, force: true });

    const restored = await restoreBackup({
      dataDir,
      folder: backupDir,
      backups,
      to: isChosen ? at.toISOString() : null,
      now: Date.now,
    });
    if (isChosen) expect(restored.until === null || restored.until <= at.toISOString()).toBe(true);
    cpSync(path.join(keys, 'keys'), path.join(dataDir, 'keys'), { recursive: true });
    const again = await begin(place);
    const records = await openRoleDatabase(again.url, {});
    open.push(records);
    const found = await readRows(records);
    expect(lessThan(found, acknowledged)).toEqual(NOTHING);
    const lost = lessThan(found, before.rows);
    expect(await verifyAudit(place, records)).toMatchObject({ holds: true });
    expect((await records.pool.query(`select cause from restorations`)).rows).toEqual([
      { cause: 'timeline' },
    ]);

    const after = traderOn(records, world);
    open.push({ close: () => after.trader.close() });
    const began = performance.now();
    const unsettled = `select count(*)::int as count from unsettled_connections`;
    expect((await after.rows(unsettled))[0].count).toBe(DEPLOYMENTS);
    for (let looks = 0; (await after.rows(unsettled))[0].count > 0; looks++) {
      expect(looks).toBeLessThan(40);
      expect(venue.orders).toHaveLength(sentBefore);
      await after.runTicks();
    }
    const settledMs = performance.now() - began;
    await after.runTicks(3);
    // What was bought and sold since is booked for whom it was, and nothing was sent for it.
    expect(await after.rows(POSITIONS)).toEqual(before.positions);
    expect(venue.orders).toHaveLength(sentBefore);
    expect(await after.rows(`select hold_code from broker_inbox where closed_at is null`)).toEqual([]);
    const ids = venue.orders.slice(sentThen).map(({ clientOrderId }) => clientOrderId);
    const [{ back }] = await after.rows(
      `select count(*)::int as back from orders where client_order_id = any($1)`,
      ids,
    );
    expect(back).toBe(sentBefore - sentThen);
    await after.everythingHolds();
    await anchor(place, records);
    expect(await verifyAudit(place, records)).toMatchObject({ holds: true });

    // It goes on trading.
    market.setPrice('AAA', 100);
    market.setPrice('BBB', 20);
    market.closeDay();
    await after.runTicks(2);
    market.openDay();
    await after.runTicks(2);
    expect(venue.orders.length).toBeGreaterThan(sentBefore);
    expect(new Set(venue.submissions).size).toBe(venue.submissions.length);
    await after.everythingHolds();
    await after.trader.close();

    const file = process.env.RESTORE_DRILL_RESULT;
    if (file !== undefined)
      appendFileSync(
        file,
        `${JSON.stringify({
          until,
          deployments: DEPLOYMENTS,
          moment: isChosen ? at.toISOString() : restored.until,
          megabytes: backup.files.reduce((sum, { bytes }) => sum + bytes, 0) / 1e6,
          acknowledged: [...acknowledged.values()].reduce((sum, { size }) => sum + size, 0),
          lost,
          sent: sentBefore - sentThen,
          back,
          ms: {
            backup: backupMs,
            archived: archivedMs,
            copied: restored.copiedMs,
            replayed: restored.replayedMs,
            settled: settledMs,
            tail: isChosen || restored.until === null ? null : lostAt - Date.parse(restored.until),
          },
        })}\n`,
      );
    expect(existsSync(path.join(dataDir, 'backup-location'))).toBe(true);
  },
);
