// The walls of the house: which floor may import which. The rules stand in WALLS; the tests of the test show that a
// crossing is seen.
import { readdirSync, readFileSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';

const ROOT = path.resolve(import.meta.dirname, '..');

/** What a floor may import besides itself. Package names stand as they are; '*' is any package. */
const WALLS: Readonly<Record<string, { floors: readonly string[]; packages: readonly string[] }>> = {
  units: { floors: [], packages: [] },
  engine: { floors: ['units'], packages: [] },
  rules: { floors: ['units', 'engine'], packages: [] },
  contract: { floors: ['units', 'engine', 'rules'], packages: ['zod'] },
  ports: { floors: ['units', 'engine'], packages: [] },
  adapters: { floors: ['units', 'engine', 'ports'], packages: ['*'] },
  records: {
    floors: ['units', 'engine', 'rules', 'ports'],
    packages: ['kysely', 'pg', 'pg-boss', 'pg-copy-streams', 'node:'],
  },
  trader: { floors: ['units', 'engine', 'rules', 'ports', 'records'], packages: ['node:', 'pino'] },
  results: { floors: ['units', 'engine', 'rules', 'ports', 'records'], packages: ['node:', 'pino'] },
  server: { floors: ['units', 'engine', 'rules', 'contract', 'ports', 'records'], packages: ['*'] },
  processes: {
    floors: [
      'units',
      'engine',
      'rules',
      'contract',
      'ports',
      'records',
      'adapters',
      'trader',
      'results',
      'server',
    ],
    packages: ['*'],
  },
  web: { floors: ['units', 'engine', 'rules', 'contract'], packages: ['*'] },
  sandbox: { floors: ['units', 'engine'], packages: ['*'] },
  models: { floors: ['units', 'engine', 'ports', 'adapters', 'results', 'sandbox'], packages: ['node:'] },
};

/** Floors that are pure: no I/O, no clock, no chance, nothing that differs between browsers. */
const PURE = ['units', 'engine', 'rules'];
const IMPURE =
  /\bDate\.now\b|\bnew Date\(\)|\bMath\.(random|exp|log|log2|log10|log1p|expm1|pow|sin|cos|tan|tanh|hypot|cbrt)\b|\bprocess\.|\bfetch\(|\bsetTimeout\b|[\w)\]] \*\* /;

const FORBIDDEN_NAMES = ['utils', 'helpers', 'common', 'shared', 'lib', 'core', 'manager'];
const LINES_MAX = 400;

type Source = { file: string; text: string };

function crossings(source: Source): string[] {
  const floor = floorOf(source.file);
  const wall = floor === null ? undefined : WALLS[floor];
  if (floor === null || wall === undefined) return [];
  const found: string[] = [];
  for (const specifier of importsOf(source.text)) {
    const target = resolveImport(source.file, specifier);
    if (target.kind === 'package') {
      const allowed = wall.packages.some(
        (name) =>
          name === '*' || specifier === name || specifier.startsWith(name.endsWith(':') ? name : `${name}/`),
      );
      if (!allowed) found.push(`${source.file}: ${floor} may not use the package ${specifier}`);
    } else if (target.floor !== floor && !wall.floors.includes(target.floor)) {
      found.push(`${source.file}: ${floor} may not import ${target.floor} (${specifier})`);
    } else {
      const inner = innerWall(floor, source.file, target);
      if (inner !== null) found.push(`${source.file}: ${inner} (${specifier})`);
    }
  }
  return found;
}

/** Walls inside a floor, or narrower than one. */
function innerWall(floor: string, file: string, target: { floor: string; path: string }): string | null {
  if (floor === 'adapters' && target.floor === 'adapters') {
    const [, , port] = file.split('/');
    const [, , otherPort] = target.path.split('/');
    if (port !== otherPort) return `an adapter of ${port} may not import one of ${otherPort}`;
  }
  if (
    floor === 'contract' &&
    target.floor === 'engine' &&
    !/^src\/engine\/(market\/instrument|strategy\/|order\/order|event)/.test(target.path)
  ) {
    return 'contract takes from engine only types, closed lists and the definition parser';
  }
  if (
    floor === 'sandbox' &&
    target.floor === 'engine' &&
    !/^src\/engine\/(market|venue)\//.test(target.path)
  ) {
    return 'the sandbox is the outside world: of the engine it knows market and venue only';
  }
  if (
    floor === 'web' &&
    file.startsWith('src/web/kit/') &&
    target.floor === 'web' &&
    !/^src\/web\/(kit)\//.test(target.path)
  ) {
    return 'kit knows no room';
  }
  return null;
}

function importsOf(text: string): string[] {
  const code = text.replace(/\/\*[\s\S]*?\*\//g, '').replace(/^\s*\/\/.*$/gm, '');
  return [
    ...code.matchAll(
      /(?:^|\n)\s*(?:import|export)\b[^'"`;]*?from\s*['"]([^'"]+)['"]|\bimport\(\s*['"]([^'"]+)['"]\s*\)|(?:^|\n)\s*import\s*['"]([^'"]+)['"]/g,
    ),
  ].map((match) => match[1] ?? match[2] ?? match[3] ?? '');
}

type Resolved = { kind: 'package' } | { kind: 'file'; floor: string; path: string };

function resolveImport(file: string, specifier: string): Resolved {
  const alias = /^#(\w+)\/(.*)$/.exec(specifier);
  const target = alias
    ? path.posix.join(alias[1] === 'sandbox' ? '' : 'src', alias[1]!, alias[2]!)
    : specifier.startsWith('.')
      ? path.posix.join(path.posix.dirname(file), specifier)
      : null;
  if (target === null) return { kind: 'package' };
  return { kind: 'file', floor: floorOf(target) ?? target.split('/')[0]!, path: target };
}

function floorOf(file: string): string | null {
  const [first, second] = file.split('/');
  if (first === 'sandbox' || first === 'models') return first;
  return first === 'src' && second !== undefined ? second : null;
}

function sources(): Source[] {
  return ['src', 'sandbox', 'models']
    .flatMap((folder) => readdirSync(path.join(ROOT, folder), { recursive: true, withFileTypes: true }))
    .filter(
      (entry) =>
        entry.isFile() && /\.tsx?$/.test(entry.name) && !/\/(dist|node_modules)(\/|$)/.test(entry.parentPath),
    )
    .map((entry) => path.relative(ROOT, path.join(entry.parentPath, entry.name)))
    .map((file) => ({ file, text: readFileSync(path.join(ROOT, file), 'utf8') }));
}

const isTest = (file: string) =>
  /\.test\.tsx?$/.test(file) || file.endsWith('-fixture.ts') || file.includes('/testing/');
const product = sources().filter((source) => !isTest(source.file));

test('no import crosses a wall', () => {
  expect(product.flatMap(crossings)).toEqual([]);
});

test('pure floors ask neither clock nor chance nor a function that browsers round differently', () => {
  const impure = product
    .filter((source) => PURE.includes(floorOf(source.file) ?? ''))
    .flatMap(({ file, text }) =>
      text
        .split('\n')
        .flatMap((line, index) =>
          isCode(line) && IMPURE.test(line) ? [`${file}:${index + 1} ${line.trim()}`] : [],
        ),
    );
  expect(impure).toEqual([]);
});

const isCode = (line: string) => !/^\s*(\/\/|\*|\/\*)/.test(line);

test('no imports run in a circle', () => {
  expect(circles(product)).toEqual([]);
});

test(`no file passes ${LINES_MAX} lines`, () => {
  expect(
    product.filter(({ text }) => text.split('\n').length > LINES_MAX + 1).map(({ file }) => file),
  ).toEqual([]);
});

test('no folder or file has a name that says nothing', () => {
  const vague = product.filter(({ file }) =>
    file.split('/').some((part) => FORBIDDEN_NAMES.includes(part.replace(/\.tsx?$/, ''))),
  );
  expect(vague.map(({ file }) => file)).toEqual([]);
});

test('a default export stands in tool settings only', () => {
  const found = product.filter(
    ({ file, text }) => /^export default /m.test(text) && !file.endsWith('.config.ts'),
  );
  expect(found.map(({ file }) => file)).toEqual([]);
});

function circles(files: readonly Source[]): string[] {
  const edges = new Map(
    files.map(({ file, text }) => [
      file,
      importsOf(text.replace(/(^|\n)\s*import type [^;]*;/g, ''))
        .map((specifier) => resolveImport(file, specifier))
        .flatMap((target) => (target.kind === 'file' ? [target.path] : [])),
    ]),
  );
  const done = new Set<string>();
  const found: string[] = [];
  const walk = (file: string, trail: readonly string[]): void => {
    if (trail.includes(file)) {
      found.push([...trail.slice(trail.indexOf(file)), file].join(' → '));
      return;
    }
    if (done.has(file)) return;
    for (const next of edges.get(file) ?? []) walk(next, [...trail, file]);
    done.add(file);
  };
  for (const file of edges.keys()) walk(file, []);
  return found;
}

test('the wall test sees a crossing (test of the test)', () => {
  const see = (file: string, text: string) => crossings({ file, text });
  expect(see('src/engine/step.ts', `import { pool } from '#records/postgres/database.ts';`)).toHaveLength(1);
  expect(see('src/engine/step.ts', `import fs from 'node:fs';`)).toHaveLength(1);
  expect(
    see('src/units/money.ts', `import type { Bar } from '../engine/market/instrument.ts';`),
  ).toHaveLength(1);
  expect(see('src/trader/rebalance/mark.ts', `import { app } from '#server/app.ts';`)).toHaveLength(1);
  expect(
    see(
      'src/trader/rebalance/mark.ts',
      `import { x } from '#adapters/broker/interactive-brokers/broker.ts';`,
    ),
  ).toHaveLength(1);
  expect(see('src/server/app.ts', `const x = await import('#trader/trader.ts');`)).toHaveLength(1);
  expect(
    see('src/web/shell/app.tsx', `import { migrate } from '../../records/postgres/migrate.ts';`),
  ).toHaveLength(1);
  expect(see('src/adapters/broker/a.ts', `import { y } from '../signing/embedded/seal.ts';`)).toHaveLength(1);
  expect(see('sandbox/start.ts', `import { step } from '#engine/step.ts';`)).toHaveLength(1);
  expect(see('src/engine/step.ts', `import type { Micro } from '#units/money.ts';`)).toEqual([]);
});

test('the circle test sees a circle (test of the test)', () => {
  const found = circles([
    { file: 'src/units/a.ts', text: `import { b } from './b.ts';` },
    { file: 'src/units/b.ts', text: `import { a } from './a.ts';` },
  ]);
  expect(found).toEqual(['src/units/a.ts → src/units/b.ts → src/units/a.ts']);
});
