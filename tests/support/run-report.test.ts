import { expect, test } from 'vitest';
import { formatRunReport } from './run-report.ts';

const origin = { date: '2026-11-23', commit: 'abc1234', command: 'npm run simulate -- --seeds 2 --report' };

test('a report names date, commit, command and counts, and every failure', () => {
  const report = {
    title: 'Simulated worlds',
    about: 'Worlds from seeds.',
    facts: [
      ['Seeds', '1 to 2'],
      ['Orders', 12_345],
    ],
    failures: ['seed 2: doubled'],
  } as const;
  expect(formatRunReport(report, origin)).toBe(`# Simulated worlds

Worlds from seeds. This file is written by the command; do not edit it.

    npm run simulate -- --seeds 2 --report

|  |  |
| --- | --- |
| Date | 2026-11-23 |
| Commit | abc1234 |
| Seeds | 1 to 2 |
| Orders | 12,345 |
| Failures | 1 |

## Failures

- seed 2: doubled
`);
});

test('a report without failures has no list of them', () => {
  const text = formatRunReport(
    {
      title: 'Noise',
      about: 'Luck.',
      facts: [],
      table: { head: ['case', 'share'], rows: [['pure noise', '0.0%']] },
      failures: [],
    },
    origin,
  );
  expect(text).toContain('| case | share |\n| --- | --- |\n| pure noise | 0.0% |\n');
  expect(text).not.toContain('## Failures');
});
