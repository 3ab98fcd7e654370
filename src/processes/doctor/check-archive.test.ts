import { expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import { checkArchive, judgeArchive } from './check-archive.ts';

const handle = await testDatabase();
const ON = { mode: 'on', lastArchived: '2026-11-27 09:30:00+00', failed: null };

test('a log that cannot be archived is found, and where none is archived nothing is said', async () => {
  expect(await checkArchive(handle)).toEqual([]);
  expect(judgeArchive(ON)).toMatchObject([{ isFit: true, detail: 'last at 2026-11-27 09:30:00+00' }]);
  expect(judgeArchive({ ...ON, lastArchived: null })).toMatchObject([{ isFit: true }]);
  expect(judgeArchive({ ...ON, failed: '000000010000000000000003' })).toMatchObject([
    {
      isFit: false,
      detail: expect.stringContaining('segment 000000010000000000000003 could not be archived'),
    },
  ]);
});
