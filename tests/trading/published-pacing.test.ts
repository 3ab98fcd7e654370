// The whole chain at the vendor's published pacing, against a brokerage that locks out for ten minutes whoever asks too
// often: it trades for some days, and is never locked out.
import { expect, test } from 'vitest';
import { pacedTrading } from '#tests/support/paced-trading.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { checkRecords } from '#trader/invariants/check-invariants.ts';

const handle = await testDatabase();

test('several connections trade for days within the published limits, and nothing is too old when it leaves', async () => {
  const trading = await pacedTrading(handle, { people: 2, daySeconds: 10 });
  try {
    await trading.run(4);
  } finally {
    await trading.close();
  }
  expect(trading.problems.filter((problem) => /rate_limited|429|too many/i.test(problem))).toEqual([]);
  const { rows } = await handle.pool.query<{ kind: string; connections: number }>(
    `select i.kind, count(distinct o.broker_connection_id)::int as connections
     from fills f join orders o on o.id = f.order_id join instruments i on i.symbol = f.symbol
     group by i.kind order by i.kind`,
  );
  expect(rows).toEqual([
    { kind: 'crypto', connections: 2 },
    { kind: 'equity', connections: 2 },
  ]);
  const broken = (await checkRecords(handle.database)).flatMap(({ invariant, violations }) =>
    violations.map((violation) => ({ invariant, violation })),
  );
  expect(broken).toEqual([]);
}, 180_000);
