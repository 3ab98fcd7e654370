// The house's lint rules (`.oxlintrc.json`, `scripts/lint`) over a small house that breaks each of them.
import { spawnSync } from 'node:child_process';
import { mkdirSync, mkdtempSync, readFileSync, rmSync, symlinkSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, beforeAll, expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** Invalid files by path, one per kind of violation. */
const BROKEN: Readonly<Record<string, string>> = {
  'src/engine/floor.ts': `import { pool } from '#records/postgres/database.ts';\nexport const a = pool;`,
  'src/units/type.ts': `export type { Bar } from '../engine/market/instrument.ts';`,
  'src/units/type-expression.ts': `export type Bar = import('../engine/market/instrument.ts').Bar;`,
  'src/server/app.ts': `export const trader = await import('#trader/trader.ts');`,
  'src/engine/package.ts': `import fs from 'node:fs';\nexport const a = fs;`,
  'src/web/billing/package.ts': `import { z } from 'zod';\nexport const a = z;`,
  'src/web/billing/room.ts': `export type { Row } from '../operations/facts.tsx';`,
  'src/web/kit/room.tsx': `import { call } from '../call/call.ts';\nexport const a = call;`,
  'src/server/billing/room.ts': `import { login } from '#server/identity/login.ts';\nexport const a = login;`,
  'src/server/new-room/file.ts': `import { show } from '#server/identity/show.ts';\nexport const a = show;`,
  'src/adapters/broker/a.ts': `import { seal } from '../signing/embedded/seal.ts';\nexport const a = seal;`,
  'src/adapters/broker/alpaca/b.ts': `export * from '../interactive-brokers/brokerage.ts';`,
  'src/processes/installation/start.ts': `import { startDemoWorld } from '../demo-world/start.ts';\nexport const a = startDemoWorld;`,
  'src/processes/wiring/a.ts': `export const a = () => import('../demo-world/demo-world.ts');`,
  'src/processes/installation/b.ts': `import { feed } from '#sandbox/market/feed.ts';\nexport const a = feed;`,
  'src/contract/engine.ts': `import { step } from '#engine/step.ts';\nexport const a = step;`,
  'sandbox/start.ts': `import { step } from '#engine/step.ts';\nexport const a = step;`,
  'src/engine/clock.ts': `export const now = (): number => Date.now();`,
  'src/rules/date.ts': `export const today = (): Date => new Date();`,
  'src/units/round.ts': `export const square = (side: number): number => side ** 2;`,
  'src/units/power.ts': `export const square = (side: number): number => Math.pow(side, 2);`,
  'src/engine/environment.ts': `export const home = process.env['HOME'];`,
  'src/units/left.ts': `import type { Right } from './right.ts';\nexport type Left = Right[];`,
  'src/units/right.ts': `import type { Left } from './left.ts';\nexport type Right = Left | null;`,
  'src/trader/misc.ts': `export const a = 1;`,
  'src/web/service/order.ts': `export const a = 1;`,
  'src/rules/testing/market.ts': `export const a = 1;`,
  'src/records/order-fixture.ts': `export const a = 1;`,
  'src/rules/default.ts': `export default 1;`,
  'src/rules/long.ts': `export const a = 1;\n${'// a line\n'.repeat(400)}`,
};

/** Files that break nothing. */
const SOUND: Readonly<Record<string, string>> = {
  'src/engine/money.ts': `import type { Micro } from '#units/money.ts';\nexport type Price = Micro;`,
  'src/engine/comment.ts': `// import { pool } from '#records/postgres/database.ts'; Date.now()\nexport const a = 'Date.now()';`,
  'src/engine/local.ts': `export const total = (process: { steps: number }): number => process.steps;`,
  'src/engine/floor.test.ts': `import { pool } from '#records/postgres/database.ts';\nexport const a = [pool, Date.now()];`,
  'src/web/billing/kit.ts': `import { Link } from 'react-router';\nimport { call } from '../call/call.ts';\nexport const a = [Link, call];`,
  'src/adapters/broker/alpaca/c.ts': `import { pacer } from '../pacer.ts';\nexport const a = pacer;`,
};

let house: string;
let found: ReadonlyMap<string, readonly string[]>;

beforeAll(() => {
  house = mkdtempSync(path.join(tmpdir(), 'bellwether-house-'));
  for (const [file, text] of Object.entries({ ...BROKEN, ...SOUND })) {
    mkdirSync(path.join(house, path.dirname(file)), { recursive: true });
    writeFileSync(path.join(house, file), `${text}\n`);
  }
  symlinkSync(path.join(ROOT, 'scripts'), path.join(house, 'scripts'));
  for (const file of ['.oxlintrc.json', 'tsconfig.json', 'package.json'])
    writeFileSync(path.join(house, file), readFileSync(path.join(ROOT, file)));
  found = lint(house);
});
afterAll(() => rmSync(house, { recursive: true, force: true }));

function lint(folder: string): ReadonlyMap<string, readonly string[]> {
  const oxlint = path.join(ROOT, 'node_modules/oxlint/bin/oxlint');
  const done = spawnSync(process.execPath, [oxlint, '--quiet', '--format=json', 'src', 'sandbox'], {
    cwd: folder,
    encoding: 'utf8',
  });
  const { diagnostics } = JSON.parse(done.stdout) as {
    diagnostics: readonly { filename: string; code: string; message: string }[];
  };
  const byFile = new Map<string, string[]>();
  for (const { filename, code, message } of diagnostics)
    byFile.set(filename, [...(byFile.get(filename) ?? []), `${code} ${message}`]);
  return byFile;
}

const ofRule = (rule: string) =>
  [...found]
    .flatMap(([file, findings]) => (findings.some((one) => one.startsWith(rule)) ? [file] : []))
    .sort();

test('an import across a wall is detected: value, type, re-export, dynamic, package, room, world', () => {
  expect(ofRule('house(walls)')).toEqual(
    [
      'sandbox/start.ts',
      'src/adapters/broker/a.ts',
      'src/adapters/broker/alpaca/b.ts',
      'src/contract/engine.ts',
      'src/engine/floor.ts',
      'src/engine/package.ts',
      'src/processes/installation/b.ts',
      'src/processes/installation/start.ts',
      'src/processes/wiring/a.ts',
      'src/server/app.ts',
      'src/server/billing/room.ts',
      'src/server/new-room/file.ts',
      'src/units/type-expression.ts',
      'src/units/type.ts',
      'src/web/billing/package.ts',
      'src/web/billing/room.ts',
      'src/web/kit/room.tsx',
    ].sort(),
  );
});

test('a clock, randomness or browser rounding on a pure floor is detected', () => {
  expect(ofRule('house(pure)')).toEqual([
    'src/engine/clock.ts',
    'src/engine/environment.ts',
    'src/rules/date.ts',
    'src/units/power.ts',
    'src/units/round.ts',
  ]);
});

test('a cycle of types is detected', () => {
  expect(ofRule('import(no-cycle)')).toEqual(['src/units/left.ts', 'src/units/right.ts']);
});

test('a meaningless name, and test code in src, are detected', () => {
  expect(ofRule('house(file-name)')).toEqual([
    'src/records/order-fixture.ts',
    'src/rules/testing/market.ts',
    'src/trader/misc.ts',
    'src/web/service/order.ts',
  ]);
});

test('a default export and a file of more than 400 lines are detected', () => {
  expect(ofRule('import(no-default-export)')).toEqual(['src/rules/default.ts']);
  expect(ofRule('eslint(max-lines)')).toEqual(['src/rules/long.ts']);
});

test('valid files pass', () => {
  const housed = [...found].filter(([, findings]) => findings.some((one) => /house|cycle/.test(one)));
  expect(housed.map(([file]) => file).filter((file) => file in SOUND)).toEqual([]);
});
