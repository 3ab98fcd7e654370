// Replacing the keys that seal agreements and sign anchors, with crashes at every step, a second machine and an old backup.
import { randomUUID } from 'node:crypto';
import { cpSync, existsSync, mkdtempSync, readFileSync, renameSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterEach, beforeEach, describe, expect, test } from 'vitest';
import { composeAgreement } from '#adapters/signing/document/compose-agreement.ts';
import { sealDocument } from '#adapters/signing/embedded/seal-document.ts';
import type { SealKey } from '#adapters/signing/embedded/seal-key.ts';
import { findNewestAnchorRow } from '#records/operations/audit-anchors.ts';
import { testDatabase, type TestDatabase } from '#tests/support/test-database.ts';
import { insertPerson } from '#tests/support/trading-rows.ts';
import { testKeyFile } from '#tests/support/test-keyring.ts';
import { instant } from '#units/instant.ts';
import { anchorLine, parseAnchor, signAnchor } from '../anchors/anchor.ts';
import { keepAnchors } from '../anchors/keep-anchors.ts';
import { verifyLog } from '../anchors/verify-log.ts';
import { checkSigningKeys } from '../doctor/check-signing-keys.ts';
import { readAnchorKey } from '../environment/anchor-key.ts';
import { knownKeys, signingKeys } from '../environment/known-keys.ts';
import { parseKeysCommand, runKeysCommand } from './keys-command.ts';
import { nextFileOf, noteFormerKey } from './signing-key-files.ts';
import { verifySeals } from './verify-seals.ts';

const { management } = testKeyFile();
let records: TestDatabase;
let dataDir = '';
let written = 0;
const folders: string[] = [];
const troubles: string[] = [];

beforeEach(async () => {
  records = await testDatabase();
  dataDir = machine();
  troubles.length = 0;
});
afterEach(() => {
  for (const folder of folders.splice(0)) rmSync(folder, { recursive: true, force: true });
});

function machine(): string {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-signing-'));
  folders.push(folder);
  return folder;
}
const keysAt = (folder = dataDir) =>
  knownKeys(
    { dataDir: folder, keyEncryptionKeyFile: path.join(folder, 'keys', 'kek'), keyService: null },
    records.database,
  );
const fileOf = (which: 'seal' | 'anchor', folder = dataDir) => signingKeys({ dataDir: folder })[which].file;

async function rotate(words: string, folder = dataDir): Promise<readonly string[]> {
  const lines: string[] = [];
  await runKeysCommand(parseKeysCommand(words.split(' '))!, {
    database: records.database,
    otherWorlds: [],
    management,
    dataDir: folder,
    say: (line) => void lines.push(line),
    wait: async () => undefined,
  });
  return lines;
}

/** A row of the log, and a trader that anchors it. */
async function anchor(folder = dataDir) {
  const note = async (error?: unknown) => void (error instanceof Error && troubles.push(error.message));
  await records.pool.query(`insert into settings (key, value) values ($1, '1')`, [`row ${(written += 1)}`]);
  await keepAnchors({
    database: records.database,
    dataDir: folder,
    keys: keysAt(folder).anchorKeys,
    send: async () => undefined,
    outcome: { onAnchored: () => note(), onError: note, onRewritten: note },
  }).stop();
}
const newestAnchor = async () => parseAnchor((await findNewestAnchorRow(records.database))!.line)!;
const verify = async (folder = dataDir) =>
  verifyLog({
    database: records.database,
    dataDir: folder,
    keys: await keysAt(folder).anchorKeys(),
    collected: [],
    acceptedRow: 0,
  });
const doctor = async (folder = dataDir) =>
  (await checkSigningKeys(records.database, folder)).filter(({ isFit }) => !isFit);

describe('the anchor key', () => {
  test('is replaced beside the product: former anchors hold, and new ones are of the new key', async () => {
    await anchor();
    const before = (await keysAt().anchorKeys()).current.id;
    const [said] = await rotate('rotate-signing anchor');
    const after = (await keysAt().anchorKeys()).current.id;
    expect(after).not.toBe(before);
    expect(said).toContain(`The anchor key is ${after} from now on.`);
    expect(existsSync(nextFileOf(fileOf('anchor')))).toBe(false);
    await anchor();
    await anchor();
    expect((await newestAnchor()).key).toBe(after);
    expect(troubles).toEqual([]);
    expect(await verify()).toMatchObject({ holds: true });
    const listed = await rotate('list');
    expect(listed.filter((line) => line.startsWith('anchor key'))).toHaveLength(2);
    expect(await doctor()).toEqual([]);
    const { rows } = await records.pool.query(
      `select action, details from audit_log where subject = 'key:anchor key' order by seq`,
    );
    expect(rows).toMatchObject([{ action: 'key.created' }, { action: 'key.created' }]);
  });

  test('counts for nothing that it signs once it is replaced', async () => {
    await anchor();
    const stolen = readAnchorKey(fileOf('anchor'));
    await rotate('rotate-signing anchor');
    await anchor();
    const newest = await newestAnchor();
    const forged = anchorLine(signAnchor(newest, stolen));
    await records.pool.query('update audit_anchors set line = $1 where number = $2', [forged, newest.number]);
    const { holds, lines } = await verify();
    expect(holds).toBe(false);
    expect(lines).toContain(
      `Anchor ${newest.number} in the database is signed with the key ${stolen.id}, which was replaced after anchor ${newest.number - 1}.`,
    );
    await anchor();
    expect(troubles.at(-1)).toContain(`is signed with the key ${stolen.id}, which was replaced`);
  });

  test('is replaced again and again, and each counts for its own', async () => {
    for (let round = 0; round < 3; round++) {
      await anchor();
      await rotate('rotate-signing anchor');
    }
    await anchor();
    expect(await verify()).toMatchObject({ holds: true });
    rmSync(fileOf('anchor').replace('.pem', '.former.json'));
    expect((await verify()).holds).toBe(false);
    expect(await doctor()).toMatchObject([{ subject: 'anchor key' }]);
  });
});

describe('a crash of a rotation', () => {
  const holdsAndRotates = async () => {
    await anchor();
    expect(troubles).toEqual([]);
    expect(await verify()).toMatchObject({ holds: true });
    await rotate('rotate-signing anchor');
    await anchor();
    expect(troubles).toEqual([]);
    expect(await verify()).toMatchObject({ holds: true });
    expect(await doctor()).toEqual([]);
  };

  test('after the next key was made changes nothing, and the next run takes it', async () => {
    await anchor();
    const { anchor: key } = signingKeys({ dataDir });
    await key.open(nextFileOf(key.file));
    const next = readAnchorKey(nextFileOf(key.file)).id;
    await holdsAndRotates();
    expect((await keysAt().anchorKeys()).current.id).toBe(next);
  });

  test('after the former key was noted, and before the database had the new one, leaves the former in its place', async () => {
    await anchor();
    const { anchor: key } = signingKeys({ dataDir });
    await key.open(nextFileOf(key.file));
    const { id, publicKey } = readAnchorKey(key.file);
    noteFormerKey(key.file, { id, publicPart: publicKey, until: new Date().toISOString(), last: 1 });
    await holdsAndRotates();
  });

  test.each(['anchor', 'seal'] as const)(
    'after the database had the new %s, and before its file, is made up for by the next start',
    async (which) => {
      await anchor();
      await keysAt().agreementSeal();
      const file = fileOf(which);
      const former = readFileSync(file);
      await rotate(`rotate-signing ${which}`);
      renameSync(file, nextFileOf(file));
      writeFileSync(file, former);
      expect(await doctor()).toEqual([]);
      await Promise.all([keysAt().anchorKeys(), keysAt().agreementSeal(), keysAt().anchorKeys()]);
      expect(existsSync(nextFileOf(file))).toBe(false);
      await holdsAndRotates();
    },
  );

  test('of two rotations at once leaves one new key', async () => {
    await anchor();
    const both = await Promise.allSettled([rotate('rotate-signing anchor'), rotate('rotate-signing anchor')]);
    expect(both.some(({ status }) => status === 'fulfilled')).toBe(true);
    await anchor();
    expect(troubles).toEqual([]);
    expect(await verify()).toMatchObject({ holds: true });
  });
});

test('a machine with the former key anchors and seals nothing until it has the files', async () => {
  await anchor();
  await keysAt().agreementSeal();
  const second = machine();
  cpSync(dataDir, second, { recursive: true });
  await rotate('rotate-signing');
  await anchor(second);
  expect(troubles[0]).toMatch(
    /anchor-key\.pem holds [0-9a-f]{16}, and is not the anchor key that this database was written with/,
  );
  await expect(keysAt(second).agreementSeal()).rejects.toThrow('is not the agreement seal');
  expect(await doctor(second)).toHaveLength(2);
  cpSync(path.join(dataDir, 'keys'), path.join(second, 'keys'), { recursive: true });
  troubles.length = 0;
  await anchor(second);
  expect(troubles).toEqual([]);
  expect(await doctor(second)).toEqual([]);
});

test('a backup of the database of before the rotation starts with the new key', async () => {
  await anchor();
  await rotate('rotate-signing anchor');
  const { id } = (await keysAt().anchorKeys()).current;
  await records.owner.query(
    `begin; set local session_replication_role = replica; delete from key_checks where number = 2; commit`,
  );
  expect((await keysAt().anchorKeys()).current.id).toBe(id);
  await anchor();
  expect(troubles).toEqual([]);
});

test('there is nothing to replace before the first start, and the sentence says so', async () => {
  await expect(rotate('rotate-signing seal')).rejects.toThrow(
    /^There is no agreement seal at .*agreement-seal\.pem\. It is made at the first start/,
  );
  for (const words of ['rotate-signing both', 'rotate-signing seal anchor', 'rotate seal'])
    expect(parseKeysCommand(words.split(' '))).toBeNull();
});

describe('the agreement seal', () => {
  const text = {
    template: 'investment-agreement',
    version: '1',
    language: 'en',
    title: 'Agreement',
    consent: 'I agree.',
    electronicConsent: 'I agree to sign electronically.',
    preamble: ['Between us.'],
    sections: [{ heading: '1. Only', paragraphs: ['A paragraph.'] }],
  };
  const signed = async (key: SealKey, at: Date) => {
    const pdf = await sealDocument(await composeAgreement(text, { composedAt: at }), {
      key,
      sealedAt: at,
      reason: 'test',
    });
    const { user } = await insertPerson({
      ...records,
      newId: () => randomUUID(),
      now: () => instant(Date.now()),
    });
    const { rows } = await records.pool.query<{ id: string }>(
      `insert into agreements (id, user_id, version, provider, envelope_id, status, document_hash, sealed_pdf, signed_name,
         sealed_hash, expires_at, signed_at)
       values (gen_random_uuid(), $3, gen_random_uuid(), 'embedded', gen_random_uuid(), 'signed', 'h', $1, 'n', 'h', now(), $2)
       returning id`,
      [Buffer.from(pdf), at, user],
    );
    return rows[0]!.id;
  };
  const seals = () => verifySeals({ database: records.database, dataDir });

  test('is replaced: what it sealed holds, and what it seals later does not', async () => {
    const former = await keysAt().agreementSeal();
    await signed(former, new Date());
    await rotate('rotate-signing seal');
    const current = await keysAt().agreementSeal();
    expect(current.fingerprint).not.toBe(former.fingerprint);
    await signed(current, new Date());
    expect(await seals()).toEqual({
      holds: true,
      lines: ['2 sealed agreements are as they were signed.'],
    });
    const late = await signed(former, new Date(Date.now() + 3_600_000));
    const { holds, lines } = await seals();
    expect(holds).toBe(false);
    expect(lines).toEqual([expect.stringContaining(`Agreement ${late}: it is of`)]);
  });

  test('of another installation, and a changed document, are named', async () => {
    const ours = await keysAt().agreementSeal();
    const id = await signed(ours, new Date());
    await records.pool.query(
      `update agreements set sealed_pdf = set_byte(sealed_pdf, 200, (get_byte(sealed_pdf, 200) + 1) % 256) where id = $1`,
      [id],
    );
    const elsewhere = machine();
    const { seal } = signingKeys({ dataDir: elsewhere });
    const stranger = await signed(await seal.open(seal.file), new Date());
    const { lines } = await seals();
    expect(lines).toContain(`Agreement ${id}: it was changed after it was sealed.`);
    expect(lines).toContainEqual(
      expect.stringContaining(`Agreement ${stranger}: its certificate is none of this installation`),
    );
  });
});
