import { expect, test } from 'vitest';
import { formatCampaign, formatRunReport } from './run-report.ts';

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

test('a campaign sums the numbers of its parts, and says which commit failed', () => {
  const report = { title: 'Kill campaign', about: 'Kills.', facts: [], failures: [] };
  const part = (commit: string, orders: number, failures: readonly string[]) => ({
    ...origin,
    commit,
    facts: [
      ['First seed', '1'],
      ['Orders', orders],
    ] as const,
    table: { head: ['Struck', 'Times'], rows: [['a trader', String(orders / 100)]] },
    failures,
  });
  const text = formatCampaign(report, [part('abc1234', 1_000, []), part('def5678', 500, ['seed 3: lost'])]);
  expect(text).toContain('| Orders | 1,500 |\n| Failures | 1 |\n');
  expect(text).not.toContain('| First seed |');
  expect(text).toContain('| Struck | Times |\n| --- | --- |\n| a trader | 15 |\n');
  expect(text).toContain(`| 2026-11-23 | def5678 | \`${origin.command}\` | 1 |`);
  expect(text).toContain('- seed 3: lost (def5678)\n');
});

test('a seed that is run again counts once, and its failure as mended', () => {
  const report = { title: 'Simulated worlds', about: 'Worlds.', facts: [], failures: [] };
  const part = (commit: string, from: number, count: number, failures: readonly string[]) => ({
    ...origin,
    commit,
    facts: [['Seeds', count]] as const,
    seeds: { from, count },
    failures,
  });
  const text = formatCampaign(report, [
    part('abc1234', 1, 10, ['seed 3: lost', 'seed 7: doubled']),
    part('def5678', 3, 1, []),
    part('def5678', 7, 1, ['seed 7: doubled']),
  ]);
  expect(text).toContain('| Seeds | 10 |\n| Failures | 2 |');
  expect(text).toContain('## Failures\n\n- seed 7: doubled (abc1234)\n- seed 7: doubled (def5678)\n');
  expect(text).toContain('## Found and mended\n\n- seed 3: lost (abc1234): holds at def5678\n');
});
