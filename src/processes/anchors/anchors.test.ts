// Whoever rules the database, and the data folder too, against the anchors of the audit log.
import { createHash } from 'node:crypto';
import { existsSync, mkdtempSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, expect, test } from 'vitest';
import type { AlarmReceiver } from '#ports/alarm-receiver.ts';
import type { Mail, MailOutcome } from '#ports/mail.ts';
import { testDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { openAnchorKey, withFormer } from '../environment/anchor-key.ts';
import { type Anchor, parseAnchor } from './anchor.ts';
import { readAnchors } from './anchor-folder.ts';
import { keepAnchors } from './keep-anchors.ts';
import { sendAnchors } from './send-anchors.ts';
import { verifyLog } from './verify-log.ts';

const records: TestDatabase = await testDatabase();
const { database, pool } = records;
let folder = '';
const troubles: string[] = [];

beforeEach(async () => {
  folder = mkdtempSync(path.join(tmpdir(), 'bellwether-anchors-'));
  troubles.length = 0;
  await asOwner('truncate audit_log, audit_anchors, settings');
});
afterEach(() => rmSync(folder, { recursive: true, force: true }));

const keysOf = (dataDir: string) => {
  const file = path.join(dataDir, 'keys', 'anchor-key.pem');
  return withFormer(openAnchorKey(file), file);
};
const note = async (kind: string, error?: unknown) =>
  void (error instanceof Error && troubles.push(`${kind}: ${error.message}`));

/** A trader that starts, anchors and stops. */
async function anchor() {
  await keepAnchors({
    database,
    dataDir: folder,
    keys: async () => keysOf(folder),
    send: async () => undefined,
    outcome: {
      onAnchored: () => note('anchored'),
      onError: (error) => note('error', error),
      onRewritten: (error) => note('rewritten', error),
    },
  }).stop();
}

const verify = (more: { collected?: readonly Anchor[]; acceptedRow?: number } = {}) =>
  verifyLog({
    database,
    dataDir: folder,
    keys: keysOf(folder),
    collected: more.collected ? [{ name: 'the mails', anchors: more.collected }] : [],
    acceptedRow: more.acceptedRow ?? 0,
  });

let settings = 0;
const write = async (rows: number) => {
  for (let i = 0; i < rows; i++)
    await pool.query(`insert into settings (key, value) values ($1, '1')`, [`setting ${(settings += 1)}`]);
};

/** With the triggers off, as only the owner of the tables can. */
async function asOwner(...statements: string[]) {
  await records.owner.query(
    `begin; set local session_replication_role = replica; ${statements.join('; ')}; commit`,
  );
}

/** Changes a row and recomputes the chain after it, as an attacker with the owner's rights does. */
async function rewrite(from: number) {
  await asOwner(`update audit_log set actor = 'nobody' where seq = ${from}`);
  const { rows } = await pool.query(
    `select seq::text, to_char(at at time zone 'UTC', 'YYYY-MM-DD"T"HH24:MI:SS.US"Z"') as at, actor, action, subject, details
     from audit_log order by audit_log.seq`,
  );
  let previous = '0'.repeat(64);
  const changes: string[] = [];
  for (const { seq, at, actor, action, subject, details } of rows) {
    const said = [previous, seq, at, actor, action, subject, details].join('\n');
    const hash = createHash('sha256').update(said, 'utf8').digest('hex');
    changes.push(`update audit_log set previous_hash = '${previous}', hash = '${hash}' where seq = ${seq}`);
    previous = hash;
  }
  await asOwner(...changes);
}

const collectedNow = () =>
  readdirSync(path.join(folder, 'audit-anchors')).flatMap((name) =>
    readdirSync(path.join(folder, 'audit-anchors', name)).flatMap((file) =>
      readAnchors(path.join(folder, 'audit-anchors', name, file)),
    ),
  );
const folderOfAnchors = () => path.join(folder, 'audit-anchors');
const threeAnchors = async () => {
  for (let i = 0; i < 3; i++) {
    await write(2);
    await anchor();
  }
};
/** As if everything until now had happened half an hour ago. */
const ages = () =>
  asOwner(
    `update audit_log set at = at - interval '30 minutes'`,
    `update audit_anchors set anchored_at = anchored_at - interval '30 minutes'`,
  );

test('an untouched log holds, and says what the newest rows are worth until the next anchor', async () => {
  await threeAnchors();
  expect(await verify()).toEqual({ holds: true, lines: ['The audit log is intact: 6 rows, 3 anchors.'] });
  await write(2);
  const { holds, lines } = await verify();
  expect(holds).toBe(true);
  expect(lines[1]).toMatch(
    /^2 rows are newer than the last anchor of .* UTC: until the next one, at most five minutes after the row, nothing outside the database vouches for them\.$/,
  );
  expect(troubles).toEqual([]);
});

test('a rewritten chain is found before an anchor, and a trader anchors nothing on top of it', async () => {
  await threeAnchors();
  await rewrite(3);
  const { holds, lines } = await verify();
  expect(holds).toBe(false);
  expect(lines[0]).toBe(
    'The audit log is broken after 3 good rows: row 4 is not the one that was anchored outside the database.',
  );
  await write(1);
  await anchor();
  expect(troubles).toContain('rewritten: row 6 is not the one that anchor 3 is of');
  expect((await pool.query('select from audit_anchors')).rowCount).toBe(3);
});

test('a chain that is rewritten after the last anchor is bounded by it: those rows alone are not vouched for', async () => {
  await threeAnchors();
  await write(2);
  await rewrite(7);
  expect((await verify()).lines).toContainEqual(
    expect.stringMatching(/^2 rows are newer than the last anchor/),
  );
  await rewrite(6);
  expect(await verify()).toMatchObject({ holds: false });
});

test('the log holds no longer without the folder of its anchors, which the trader does not quietly fill again', async () => {
  await threeAnchors();
  rmSync(folderOfAnchors(), { recursive: true });
  expect(await verify()).toEqual({
    holds: false,
    lines: ['Anchors 1 to 3 are missing in DATA_DIR/audit-anchors.'],
  });
});

test('a missing anchor is named, wherever it is missing', async () => {
  await threeAnchors();
  const [name] = readdirSync(folderOfAnchors());
  const [file] = readdirSync(path.join(folderOfAnchors(), name!));
  const place = path.join(folderOfAnchors(), name!, file!);
  const lines = readFileSync(place, 'utf8').split('\n');
  writeFileSync(place, [lines[0], lines[2], ''].join('\n'));
  expect((await verify()).lines).toEqual(['Anchor 2 is missing in DATA_DIR/audit-anchors.']);
  writeFileSync(place, lines.join('\n'));
  await asOwner('delete from audit_anchors where number > 1');
  expect((await verify()).lines).toEqual(['Anchors 2 to 3 are missing in the database.']);
  await anchor();
  expect(troubles).toContain('rewritten: anchor 3 is gone from the database');
});

test('with folder and database swept, a trader that anchors the forgery begins at one, late: nothing holds', async () => {
  await threeAnchors();
  const collected = collectedNow();
  await ages();
  await rewrite(2);
  rmSync(folderOfAnchors(), { recursive: true });
  await asOwner('truncate audit_anchors');
  const bare = await verify();
  expect(bare.holds).toBe(false);
  expect(bare.lines[0]).toMatch(/^Nothing outside the database vouches for the audit log from row 1 /);

  await anchor();
  expect(existsSync(folderOfAnchors())).toBe(true);
  const forged = await verify();
  expect(forged.holds).toBe(false);
  expect(forged.lines[0]).toMatch(/^Rows 1 to 6, .* were anchored only at .*: until then nothing outside/);
  expect((await verify({ acceptedRow: 6 })).holds, 'who looked at it may say so').toBe(true);

  // What was sent away does not go away.
  const held = await verify({ collected, acceptedRow: 6 });
  expect(held.holds).toBe(false);
  expect(held.lines).toContainEqual(
    expect.stringMatching(/^Anchor 1 in the mails is another one than elsewhere/),
  );
});

test('an anchor of another key counts for nothing', async () => {
  await threeAnchors();
  const other = mkdtempSync(path.join(tmpdir(), 'bellwether-anchors-'));
  const key = keysOf(folder).current;
  expect(
    (await verifyLog({ database, dataDir: folder, keys: keysOf(other), collected: [], acceptedRow: 0 }))
      .lines[0],
  ).toMatch(/^Anchor 1 in DATA_DIR\/audit-anchors is not signed with the key [0-9a-f]{16}\.$/);
  rmSync(other, { recursive: true });
  const { rows } = await pool.query('select line from audit_anchors where number = 2');
  const anchor2 = parseAnchor(rows[0].line)!;
  await pool.query('update audit_anchors set line = $1 where number = 2', [
    JSON.stringify({ ...anchor2, seq: 3 }),
  ]);
  expect((await verify()).lines).toContainEqual(
    `Anchor 2 in the database is not signed with the key ${key.id}.`,
  );
});

test('a crash before the folder was written is made up for, and two traders share the numbers', async () => {
  await threeAnchors();
  const [name] = readdirSync(folderOfAnchors());
  const [file] = readdirSync(path.join(folderOfAnchors(), name!));
  const place = path.join(folderOfAnchors(), name!, file!);
  writeFileSync(place, readFileSync(place, 'utf8').split('\n').slice(0, 2).join('\n') + '\n');
  await write(1);
  await Promise.all([anchor(), anchor()]);
  expect(
    (await pool.query('select number from audit_anchors order by 1')).rows.map(({ number }) => number),
  ).toEqual(['1', '2', '3', '4']);
  expect(new Set(collectedNow().map(({ number }) => number))).toEqual(new Set([1, 2, 3, 4]));
  expect(await verify()).toMatchObject({ holds: true });
});

test('each anchor is sent once, in order, and after a failure the rest follows; one a day is mailed', async () => {
  await threeAnchors();
  const posted: string[] = [];
  const mails: Mail[] = [];
  let isAway = false;
  let mailOutcome: MailOutcome = { outcome: 'refused', mayPass: true, reason: 'busy' };
  const collector: AlarmReceiver = {
    async send({ id, body }) {
      if (isAway) return { outcome: 'failed', reason: 'status 503' };
      expect(parseAnchor(body)).not.toBeNull();
      posted.push(id.split(':').at(-1)!);
      isAway = posted.length === 2;
      return { outcome: 'taken' };
    },
  };
  const port = {
    send: async (mail: Mail) => {
      if (mailOutcome.outcome === 'sent') mails.push(mail);
      return mailOutcome;
    },
  };
  const key = keysOf(folder).current;
  const send = () =>
    sendAnchors({
      database,
      keys: async () => keysOf(folder),
      collector,
      mail: { port, to: 'audit@example.test' },
      outcome: { onSent: () => note('sent'), onError: (error) => note('unsent', error) },
    });
  await send();
  expect(troubles).toEqual(['unsent: anchor 3 was not taken: status 503']);
  isAway = false;
  await send();
  expect(posted).toEqual(['1', '2', '3']);
  expect(troubles.at(-1)).toBe('unsent: anchor 3 was not mailed: busy');
  mailOutcome = { outcome: 'sent' };
  await send();
  await write(1);
  await anchor();
  await send();
  expect(posted).toEqual(['1', '2', '3', '4']);
  expect(mails.map(({ subject }) => subject)).toEqual(['Anchor 3 of the audit log']);
  expect(mails[0]!.text).toContain(key.publicKey);
  const line = mails[0]!.text.split('\n').find((one) => one.startsWith('{'))!;
  expect(await verify({ collected: [parseAnchor(line)!] })).toMatchObject({ holds: true });
});
