// A real installation cannot reach the demonstration: its program and all that it loads are walked, import by import.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { parseSync } from 'oxc-parser';
import { expect, test } from 'vitest';
import { readEnvironment } from '#processes/environment/environment.ts';
import { worldOf } from '#processes/environment/world.ts';
import { DEMO_WORLD, showsMailbox } from '#processes/demo-world/demo-world.ts';
import { INSTALLATION } from '#processes/installation/installation.ts';
import { importedFile } from '../scripts/lint/place.ts';

const ROOT = path.resolve(import.meta.dirname, '..');

/** The demonstration's own: the sandbox, its people, its prices, its mailbox and its free plans. */
const OF_THE_DEMONSTRATION =
  /^(sandbox|src\/processes\/demo-world|src\/adapters\/market-data\/sandbox|src\/adapters\/mail\/sandbox-mailbox|src\/adapters\/payments\/ledger|src\/server\/sandbox-mailbox)\/|^src\/records\/(notifications\/sandbox-mailbox|payments\/ledger-store)\.ts$/;

/** What an operator of a real installation can start. */
const PROGRAMS = [
  'src/processes/installation/main.ts',
  ...readdirSync(path.join(ROOT, 'src/processes'))
    .filter((name) => name.endsWith('.ts') && !name.endsWith('.test.ts'))
    .map((name) => `src/processes/${name}`),
];

type Read = (file: string) => string;

const readFile: Read = (file) => readFileSync(path.join(ROOT, file), 'utf8');

/** The files that a file loads or starts as a thread, types apart. */
function importsOf(file: string, text: string): string[] {
  const { module, program } = parseSync(file, text);
  const source = (from: number, to: number) => text.slice(from, to);
  const named = [
    ...module.staticImports
      .filter(({ entries }) => entries.length === 0 || entries.some(({ isType }) => !isType))
      .map(({ moduleRequest }) => moduleRequest.value),
    ...module.staticExports.flatMap(({ entries }) =>
      entries.flatMap(({ moduleRequest, isType }) => (moduleRequest && !isType ? [moduleRequest.value] : [])),
    ),
    ...module.dynamicImports.map(({ moduleRequest }) =>
      source(moduleRequest.start, moduleRequest.end).slice(1, -1),
    ),
    // new URL('./thread.ts', import.meta.url), and programs that are started by their path.
    ...[...text.matchAll(/'(\.{1,2}\/[\w./-]+\.ts)'/g)].flatMap(([, name]) => (name ? [name] : [])),
  ];
  expect(program.body.length, `${file} is empty`).toBeGreaterThan(0);
  return named.flatMap((name) => importedFile(file, name) ?? []);
}

/** Every file that is reached, with the one that imports it. */
function reach(entries: readonly string[], read: Read = readFile): Map<string, string> {
  const found = new Map(entries.map((entry) => [entry, '']));
  for (const file of found.keys()) {
    if (!/\.tsx?$/.test(file) || !exists(file, read)) continue;
    for (const next of importsOf(file, read(file))) if (!found.has(next)) found.set(next, file);
  }
  return found;
}

/** A path in a text may be of another folder than the file's. */
function exists(file: string, read: Read): boolean {
  try {
    read(file);
    return true;
  } catch {
    return false;
  }
}

function chainTo(file: string, found: ReadonlyMap<string, string>): string {
  const chain = [file];
  for (let from = found.get(file); from; from = found.get(from)) chain.unshift(from);
  return chain.join(' → ');
}

const chains = (read?: Read) => {
  const found = reach(PROGRAMS, read);
  return [...found.keys()]
    .filter((file) => OF_THE_DEMONSTRATION.test(file))
    .map((file) => chainTo(file, found));
};

test('no program of a real installation reaches anything of the demonstration', () => {
  const found = reach(PROGRAMS);
  // It reaches the whole product: roles, vendors, rooms of the server, worker threads.
  for (const file of [
    'src/processes/roles/run-api.ts',
    'src/trader/trader.ts',
    'src/adapters/broker/alpaca/alpaca.ts',
    'src/server/identity/login.ts',
    'src/processes/results/run-backtest.ts',
    'src/processes/installation/connect-live-market.ts',
  ])
    expect(found.has(file), file).toBe(true);
  expect(chains()).toEqual([]);
});

test.each([
  [
    'src/processes/wiring/wire-server.ts',
    `import { ledgerPayments } from '#adapters/payments/ledger/ledger.ts';`,
  ],
  ['src/server/mount-rooms.ts', `export * from './sandbox-mailbox/serve-sandbox-mailbox.ts';`],
  ['src/trader/tick.ts', `export const late = () => import('#processes/demo-world/start.ts');`],
  ['src/records/operations/heartbeats.ts', `import '#sandbox/market/feed.ts';`],
  [
    'src/processes/results/result-thread.ts',
    `new Worker(new URL('../demo-world/main.ts', import.meta.url));`,
  ],
])('an import planted in %s is found, with the way to it', (planted, line) => {
  const found = chains((file) => (file === planted ? `${line}\n${readFile(file)}` : readFile(file)));
  expect(found.length).toBeGreaterThan(0);
  expect(found.join('\n')).toContain(`${planted} → `);
});

test('the demonstration reaches it, so that the walk would find it', () => {
  const found = [...reach(['src/processes/demo-world/main.ts']).keys()];
  expect(found.filter((file) => OF_THE_DEMONSTRATION.test(file)).length).toBeGreaterThan(20);
});

test('the demonstration listens on this machine, and shows its mailbox to nobody else', () => {
  const usual = readEnvironment({});
  expect(usual.host).toBe('127.0.0.1');
  expect(showsMailbox(usual)).toBe(true);
  for (const others of [
    { HOST: '0.0.0.0' },
    { HOST: '192.168.0.4' },
    { PUBLIC_URL: 'https://demo.steadyhand.test' },
    { TRUST_PROXY: '1' },
    { MAIL_URL: 'smtp://127.0.0.1:2525' },
  ])
    expect(showsMailbox(readEnvironment(others)), JSON.stringify(others)).toBe(false);
});

const KEYS = { APCA_API_KEY_ID: 'PK7TQ', APCA_API_SECRET_KEY: 'a secret' };

test.each([
  [{ ...KEYS, MARKET: 'sandbox' }, 'APCA_API_KEY_ID'],
  [{ ...KEYS, BROKER: 'sandbox' }, 'APCA_API_KEY_ID'],
  [{ MASSIVE_API_KEY: 'a key' }, 'MASSIVE_API_KEY'],
  [{ IBKR_CONSUMER_KEY: 'OURS' }, 'IBKR_CONSUMER_KEY'],
  [{ IBKR_CREDENTIAL: 'ours' }, 'IBKR_CREDENTIAL'],
  [{ ALPACA_CLIENT_SECRET: 'ours' }, 'ALPACA_CLIENT_SECRET'],
  [{ DOCUSIGN_INTEGRATION_KEY: 'ours' }, 'DOCUSIGN_INTEGRATION_KEY'],
  [{ STRIPE_SECRET_KEY: 'sk_live_12345678' }, 'STRIPE_SECRET_KEY'],
  [{ IDENTITY_CHECK_URL: 'https://checks.test', IDENTITY_CHECK_KEY: 'ours' }, 'IDENTITY_CHECK_KEY'],
])('the demonstration takes no key of anything real: %j', (settings, name) => {
  expect(() => readEnvironment(settings)).toThrow(
    `${name} is set, and MARKET is sandbox: the demonstration takes no key of anything real. Remove it, or set MARKET=live`,
  );
});

test('a program refuses the settings of the other world', () => {
  expect(() => readEnvironment({}, 'installation')).toThrow('set MARKET=live');
  expect(() => readEnvironment(KEYS, 'demo-world')).toThrow('this is the program of the demonstration');
  expect(readEnvironment(KEYS, 'installation').installation).toBe('own');
  expect(readEnvironment({}, 'demo-world').installation).toBe('demonstration');
});

test('npm starts the program of the world that the settings are of', () => {
  const rule = /function worldOf\([\s\S]*?\n}\n/.exec(readFile('scripts/run.mjs'))?.[0] ?? '';
  // oxlint-disable-next-line no-new-func
  const worldOfNpm = new Function(`${rule}; return worldOf;`)() as (settings: object) => string;
  for (const MARKET of ['', 'live', 'sandbox', 'replay', 'typo'])
    for (const BROKER of ['', 'alpaca', 'sandbox'])
      for (const APCA_API_KEY_ID of ['', 'PK7TQ']) {
        const settings: Record<string, string> = { MARKET, BROKER, APCA_API_KEY_ID };
        expect(worldOfNpm(settings)).toBe(worldOf((name) => settings[name] || null));
      }
});

test('where nobody receives money nothing counts as paid, and mails without a server count as unsent', async () => {
  const own = readEnvironment(KEYS);
  const charge = { reference: 'r', userId: 'u', amount: 1, currency: 'USD', description: 'd' };
  const charged = await INSTALLATION.connectPayments(own, null as never).charge(charge as never);
  expect(charged).toEqual({ outcome: 'unavailable', reason: 'no service takes payments here' });
  expect(DEMO_WORLD.connectPayments(readEnvironment({}), null as never).vendor).toBe('ledger');
  const mail = INSTALLATION.connectMail(own, null as never);
  expect(await mail.send({ to: 'a@b.test', subject: '', text: '' })).toEqual({
    outcome: 'nowhere',
    reason: 'MAIL_URL is not set',
  });
});
