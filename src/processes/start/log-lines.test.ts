import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { expect, test, vi } from 'vitest';
import { logLines } from './log-lines.ts';
import { startRole } from './role.ts';

test('lines of the log are found across chunks, and nothing else is', () => {
  const found: string[] = [];
  const read = logLines((line) => found.push(line));
  const bytes = Buffer.from(
    'api serving on port 1\n{"msg":"für"}\n{"msg":"two"}\nnot json\n{"msg":"unfinished"',
  );
  for (const byte of bytes) read(Buffer.of(byte));
  expect(found).toEqual(['{"msg":"für"}', '{"msg":"two"}']);
});

test('what a role logs reaches the standard output of its parent', async () => {
  const folder = mkdtempSync(path.join(tmpdir(), 'role-'));
  const entry = path.join(folder, 'entry.mjs');
  writeFileSync(
    entry,
    `console.log('{"level":50,"msg":"request failed"}'); console.log('ready'); setInterval(() => {}, 1000);`,
  );
  const written: string[] = [];
  const spy = vi.spyOn(process.stdout, 'write').mockImplementation((text) => {
    written.push(String(text));
    return true;
  });
  try {
    const role = await startRole({
      name: 'test',
      entry,
      environment: {},
      readyLine: /^ready$/m,
      onDeath: () => undefined,
    });
    await role.stop();
  } finally {
    spy.mockRestore();
    rmSync(folder, { recursive: true });
  }
  expect(written).toContain('{"level":50,"msg":"request failed"}\n');
  expect(written.join('')).not.toContain('ready');
});
