// What was published stays as it was published, whichever engine comes after it: it is read, shown and verified from its rows, and never
// computed again by another version. `npm run golden` adds a record for a new version.
import { describe, expect, test, vi } from 'vitest';
import * as evidenceRun from '#engine/evidence/evidence-run.ts';
import { ENGINE_VERSION } from '#engine/evidence/engine-version.ts';
import { verifyPassport } from '#engine/evidence/verify-passport.ts';
import { verifyStatement } from '#engine/evidence/verify-statement.ts';
import { definitionHash } from '#engine/strategy/definition-hash.ts';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { renewResult } from '#results/renew-result.ts';
import { commitStrategy, resultTools, storeMarket } from '#tests/support/committed-strategy.ts';
import { testApp } from '#tests/support/test-app.ts';
import { readSealed, type SealedRecord, writeSealed } from './sealed-file.ts';

vi.mock('#engine/evidence/evidence-run.ts', { spy: true });
const runs = vi.mocked(evidenceRun.runEvidence);

/** What people see of a record. */
const SHOWN = ['performance/', 'trades/', 'strategy_trades_csv'];
/** Of the strategy itself; the rest changes as people follow it. */
const FIGURES = [
  'volatility',
  'sharpeRatio',
  'maxDrawdown',
  'performanceChart',
  'backtest_results',
  'samples',
  'position_sizes',
  'as_of',
];

const address = (passport: SealedRecord['passport'], below: string) =>
  `/api/strategies/${(passport as unknown as { strategy: { id: string } }).strategy.id}/${below}`;

test.runIf(process.env['RECORD_GOLDEN'])('a record of this engine is published and kept', async () => {
  const { records, request } = await testApp();
  const stored = await storeMarket(records.database);
  const version = await commitStrategy(records.database, {
    slug: 'sealed',
    committedAt: stored[179]!.closedAt,
  });
  await renewResult(resultTools(records.database, stored[239]!.closedAt), version);
  const read = async (below: string) => {
    const { status, body, text } = await request({ url: `/api/strategies/${version.strategyId}/${below}` });
    expect(status).toBe(200);
    return body ?? text;
  };
  const rows: Record<string, object[]> = {};
  for (const table of ['instruments', 'strategies', 'strategy_versions', 'backtests'])
    rows[table] = (await records.pool.query(`select to_jsonb(t) as row from ${table} t`)).rows.map(
      ({ row }) => row,
    );
  const answers: Record<string, unknown> = {};
  for (const below of ['', ...SHOWN]) answers[below] = await read(below);
  writeSealed({
    engineVersion: ENGINE_VERSION,
    rows,
    passport: await read('evidence/'),
    bars: await read('evidence/data/'),
    answers,
  });
});

const sealed = readSealed();

test.skipIf(process.env['RECORD_GOLDEN'])(
  'there is a record of this version of the engine: npm run golden',
  () => {
    expect(sealed.map(({ engineVersion }) => engineVersion)).toContain(ENGINE_VERSION);
  },
);

describe.each(sealed)(
  'the record published by $engineVersion',
  async ({ engineVersion, rows, passport, bars, answers }) => {
    const { records, request } = await testApp();
    for (const [table, of] of Object.entries(rows))
      await records.owner.query(
        `insert into ${table} select * from jsonb_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(of)],
      );
    const read = async (below: string) => {
      const { body, text } = await request({ url: address(passport, below) });
      return body ?? text;
    };

    test('is shown and issued as it was, without a run', async () => {
      runs.mockClear();
      for (const below of SHOWN) expect(await read(below), below).toEqual(answers[below]);
      const now = (await read('')) as Record<string, unknown>;
      const then = answers[''] as Record<string, unknown>;
      for (const figure of FIGURES) {
        expect(then[figure], figure).toEqual(expect.anything());
        expect(now[figure], figure).toEqual(then[figure]);
      }
      const issued = (await read('evidence/')) as SealedRecord['passport'];
      // A later version may state more, and then seals that as well.
      const { seal: _, ...stated } = passport;
      expect(issued).toMatchObject(stated);
      expect(verifyStatement({ verified: true, parts: [] }, issued).verified).toBe(true);
      expect(runs).not.toHaveBeenCalled();
    });

    test('has rules that are read as they were: another version of the language keeps them', () => {
      const parsed = parseDefinition(passport.definition);
      expect(parsed.ok && definitionHash(parsed.definition)).toBe(passport.hashes.definition);
    });

    test('carries a seal that is checked without a run, and breaks with any figure', () => {
      runs.mockClear();
      const nothing = { verified: true, parts: [] };
      expect(verifyStatement(nothing, passport).verified).toBe(true);
      const nicer = { ...passport, figures: { ...passport.figures, sharpe_ratio: 9 } };
      expect(verifyStatement(nothing, nicer).verified).toBe(false);
      expect(runs).not.toHaveBeenCalled();
    });

    test('is run again by its own version alone, which gives the same', () => {
      runs.mockClear();
      const { parts } = verifyPassport(passport, bars, passport.hashes.engine);
      const result = parts.find(({ part }) => part === 'result');
      if (engineVersion === ENGINE_VERSION) expect(result).toMatchObject({ agrees: true, reason: null });
      const other = { ...passport, engine_version: 'bellwether-engine/0' };
      runs.mockClear();
      const refused = verifyPassport(other, bars, passport.hashes.engine);
      expect(refused.parts.find(({ part }) => part === 'result')).toMatchObject({
        agrees: false,
        computed: null,
        reason: expect.stringContaining('It was computed by bellwether-engine/0.'),
      });
      expect(refused.parts.find(({ part }) => part === 'data')).toMatchObject({ agrees: true });
      expect(runs).not.toHaveBeenCalled();
    });
  },
);
