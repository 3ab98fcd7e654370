// Documents name only what exists: files, commands, addresses of the API, and each other.
import { existsSync, readdirSync, readFileSync, statSync } from 'node:fs';
import path from 'node:path';
import { expect, test } from 'vitest';
import { ROUTES } from '#contract/http/route.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
/** Records of a day keep the names of that day. */
const RECORDS = ['CHANGELOG.md', 'docs/results/'];
const FLOORS = readdirSync(path.join(ROOT, 'src'));
const TOP = ['src', 'tests', 'docs', 'bench', 'models', 'sandbox', 'scripts'];
const COMMANDS = Object.keys(
  (JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { scripts: object }).scripts,
);
const ADDRESSES = [
  ...Object.values(ROUTES).map(({ path: address }) => address),
  '/api/openapi.json',
  '/api/client.ts',
];
const TEST_FILES = [...TOP.slice(0, 2), 'sandbox', 'bench', 'models'].flatMap((folder) => walk(folder));

const pages = ['.', 'docs', 'models']
  .flatMap((folder) => (folder === '.' ? readdirSync(ROOT) : walk(folder)))
  .filter((file) => file.endsWith('.md') && !RECORDS.some((record) => file.startsWith(record)));

test.each(pages)('%s names only what exists', (page) => {
  expect(missingIn(page, readFileSync(path.join(ROOT, page), 'utf8'))).toEqual([]);
});

test('a missing file, command, address and link are noticed', () => {
  const text = [
    'See `src/rules/{provider,nothing}.ts`, `tests/nowhere`, `rules/none.ts`, `no-such.test.ts` and [a page](none.md).',
    'Run `npm run nothing`, or `npm run bench`; ask `/api/nothing/` or `/api/health/`. `src/rules/<room>` is a pattern.',
  ].join('\n');
  expect(missingIn('README.md', text)).toEqual([
    'src/rules/nothing.ts',
    'tests/nowhere',
    'rules/none.ts',
    'no-such.test.ts',
    'none.md',
    'npm run nothing',
    '/api/nothing/',
  ]);
});

function missingIn(page: string, text: string): string[] {
  const quoted = [...text.matchAll(/`([^`\n]+)`/g)].map(([, words]) => words ?? '');
  const files = quoted.flatMap(alternatives).filter((file) => isPath(file) && !isFile(file));
  const links = [...text.matchAll(/\]\(([^)#\s]+)[^)]*\)/g)]
    .map(([, link]) => link ?? '')
    .filter((link) => !link.includes(':') && !existsSync(path.join(ROOT, path.dirname(page), link)));
  const commands = [...text.matchAll(/npm run ([\w-]+)/g)]
    .filter(([, name]) => name !== undefined && name !== 'NAME' && !COMMANDS.includes(name))
    .map(([words]) => words);
  const addresses = [...text.matchAll(/(?<!\w)\/api\/[\w/{}.-]*[\w/}]/g)]
    .map(([address]) => address)
    .filter((address) => !ADDRESSES.some((known) => isAddress(known, address)));
  return [...files, ...links, ...commands, ...addresses];
}

/** `a/{b,c}.ts` is a/b.ts and a/c.ts; a trailing slash or line number does not count. */
function alternatives(quoted: string): string[] {
  const file = quoted.trim().replace(/:\d+$/, '');
  const braces = /^(.*)\{([^}]+)\}(.*)$/.exec(file);
  if (braces === null) return [file];
  const [, before = '', within = '', after = ''] = braces;
  return within.split(',').map((part) => `${before}${part.trim()}${after}`);
}

function isPath(file: string): boolean {
  if (!/^[\w./@-]+$/.test(file)) return false;
  const [top = '', ...rest] = file.split('/');
  return (rest.length > 0 && (TOP.includes(top) || FLOORS.includes(top))) || /^[\w-]+\.test\.ts$/.test(file);
}

function isFile(file: string): boolean {
  if (!file.includes('/')) return TEST_FILES.some((known) => path.basename(known) === file);
  const places = [file, `${file}.ts`, `${file}.tsx`].flatMap((name) => [name, path.join('src', name)]);
  return places.some((place) => existsSync(path.join(ROOT, place)));
}

function isAddress(known: string, address: string): boolean {
  const plain = (words: string) => words.replaceAll(/\{[^}]+\}/g, '{}').replace(/\/$/, '');
  return plain(known) === plain(address);
}

function walk(folder: string): string[] {
  return readdirSync(path.join(ROOT, folder)).flatMap((name) => {
    const file = path.join(folder, name);
    if (name === 'node_modules' || name === 'dist') return [];
    return statSync(path.join(ROOT, file)).isDirectory() ? walk(file) : [file];
  });
}
