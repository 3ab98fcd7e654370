import { execFileSync } from 'node:child_process';
import { mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test } from 'vitest';
import { findBaseRelease, giveTestsTheNewSchema, ROOT } from './base-release.ts';

test('a release that this clone does not have is named, with what to do', () => {
  expect(() => findBaseRelease('v99.0.0')).toThrow('this clone has no commit v99.0.0: fetch it');
  const head = execFileSync('git', ['rev-parse', 'HEAD'], { cwd: ROOT, encoding: 'utf8' }).trim();
  expect(findBaseRelease('HEAD')).toEqual({ name: 'HEAD', commit: head });
});

test('the tests of a release get their database from the present code', () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'base-release-'));
  const file = path.join(folder, 'tests/support/database-server.ts');
  execFileSync('mkdir', ['-p', path.dirname(file)]);
  execFileSync('cp', [path.join(ROOT, 'tests/support/database-server.ts'), file]);
  giveTestsTheNewSchema(folder);
  const text = readFileSync(file, 'utf8');
  expect(text).toContain(path.join(ROOT, 'tests/upgrades/migrating-process.ts'));
  expect(text).not.toContain('await migrateAsOwner(server.ownerUrl)');
  expect(() => giveTestsTheNewSchema(folder)).toThrow('does not migrate as the drill expects');
  rmSync(folder, { recursive: true });
});
