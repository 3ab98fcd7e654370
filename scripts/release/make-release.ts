// A release: the entries under Unreleased become the version, package.json and its lock file say it, the changes of the schema are fixed,
// one commit records that, and the archive of that commit gets a list of packages and checksums. A release that was interrupted is
// finished by the same words.
import { execFileSync } from 'node:child_process';
import { createHash } from 'node:crypto';
import { mkdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import path from 'node:path';
import { makeBill } from './bill-of-materials.ts';
import { sealSchema } from './released-schema.ts';
import { releaseChangelog, versionRefusal } from './release-changelog.ts';

/** In the release folder, each with its checksum in the last. */
export type Release = {
  readonly tag: string;
  readonly folder: string;
  readonly archive: string;
  readonly bill: string;
  readonly checksums: string;
};

type Manifest = { name: string; version: string };

/** Throws an Error that says what is in the way, before anything is changed. */
export function makeRelease(root: string, version: string, date: string): Release {
  const git = (...words: string[]) => execFileSync('git', words, { cwd: root, encoding: 'utf8' }).trim();
  const manifest = readJson<Manifest>(root, 'package.json');
  refuse(versionRefusal(version, manifest.version));
  const tag = `v${version}`;
  if (git('status', '--porcelain') !== '')
    throw new Error(
      'There are changes that no commit has: commit or remove them, then release (git status).',
    );
  if (git('tag', '--list', tag) !== '')
    throw new Error(`The tag ${tag} exists already: choose the next version`);
  const subject = `Release ${version}`;
  if (git('log', '-1', '--format=%s') !== subject) {
    const changelog = releaseChangelog(readFileSync(path.join(root, 'CHANGELOG.md'), 'utf8'), {
      version,
      date,
    });
    if (!changelog.ok) throw new Error(changelog.refusal);
    setVersions(root, { from: manifest.version, to: version });
    sealSchema(root, version);
    writeFileSync(path.join(root, 'CHANGELOG.md'), changelog.text);
    git('commit', '--quiet', '--all', '--message', subject);
  }
  return packRelease(root, { name: manifest.name, version, tag, git });
}

type Packing = {
  readonly name: string;
  readonly version: string;
  readonly tag: string;
  readonly git: (...words: string[]) => string;
};

function packRelease(root: string, { name, version, tag, git }: Packing): Release {
  const folder = path.join(root, 'dist', tag);
  rmSync(folder, { recursive: true, force: true });
  mkdirSync(folder, { recursive: true });
  const archive = `${name}-${version}.tar.gz`;
  const bill = `${name}-${version}.cdx.json`;
  const checksums = 'SHA256SUMS';
  git(
    'archive',
    '--format=tar.gz',
    `--prefix=${name}-${version}/`,
    `--output=${path.join(folder, archive)}`,
    'HEAD',
  );
  makeBill(root, path.join(folder, bill));
  const lines = [archive, bill].map(
    (file) =>
      `${createHash('sha256')
        .update(readFileSync(path.join(folder, file)))
        .digest('hex')}  ${file}\n`,
  );
  writeFileSync(path.join(folder, checksums), lines.join(''));
  return { tag, folder, archive, bill, checksums };
}

function setVersions(root: string, { from, to }: { readonly from: string; readonly to: string }): void {
  writeJson(root, 'package.json', { ...readJson<Manifest>(root, 'package.json'), version: to });
  const lock = readJson<Manifest & { packages: Record<string, Manifest> }>(root, 'package-lock.json');
  const packages = { ...lock.packages, '': { ...lock.packages['']!, version: to } };
  writeJson(root, 'package-lock.json', { ...lock, version: to, packages });
  for (const name of MANIFESTS) {
    const file = path.join(root, 'packages/kubernetes', name);
    const text = readFileSync(file, 'utf8');
    const changed = text
      .replace(`newTag: ${from}\n`, `newTag: ${to}\n`)
      .replace(`bellwether:${from}\n`, `bellwether:${to}\n`);
    if (changed === text && from !== to)
      throw new Error(`packages/kubernetes/${name} does not name the version ${from}`);
    writeFileSync(file, changed);
  }
}

/** They name the version of the image. */
const MANIFESTS = ['kustomization.yaml', 'catalogue.yaml'];

function readJson<Content>(root: string, file: string): Content {
  return JSON.parse(readFileSync(path.join(root, file), 'utf8')) as Content;
}

function writeJson(root: string, file: string, content: object): void {
  writeFileSync(path.join(root, file), `${JSON.stringify(content, null, 2)}\n`);
}

function refuse(refusal: string | null): void {
  if (refusal !== null) throw new Error(refusal);
}
