import { randomBytes } from 'node:crypto';
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import * as fc from 'fast-check';
import { afterAll, beforeEach, describe, expect, test } from 'vitest';
import { createEmbeddedSigning } from '#adapters/signing/embedded/embedded-signing.ts';
import { openSealKey } from '#adapters/signing/embedded/seal-key.ts';
import { type EndpointName, EVERY_ENDPOINT } from '#contract/every-endpoint.ts';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { ERROR_CODES, type ErrorCode } from '#contract/http/error-code.ts';
import { refusalCodes } from '#contract/http/refusal-codes.ts';
import { type Strategy, STRATEGY_TYPES, type StrategyFilters } from '#contract/strategies/strategies.ts';
import { INSTRUMENT_KINDS } from '#engine/market/instrument.ts';
import { createEnvelopeStore } from '#records/agreements/agreements.ts';
import type { StrategyRecord } from '#records/strategies/strategies.ts';
import { RISK_LEVELS } from '#rules/suitability/strategy-risk.ts';
import { isWanted } from '#server/strategies/is-wanted.ts';
import { cashOf, reportCash, testApp } from '#tests/support/test-app.ts';
import { publishedStrategy } from '#tests/support/test-strategy.ts';
import {
  filterStrategies,
  MARKET_FILTERS,
  RISK_FILTERS,
  type StrategyFilter,
  TYPE_FILTERS,
} from '../../src/web/strategies/list/filter-strategies.ts';
import type { CallCase } from './call-case.ts';
import { EVERY_CASE } from './every-case.ts';
import { ExampleBook } from './example-book.ts';
import { prepare, sendOverSocket } from './send.ts';

// Every call of the contract over a real socket: its success, and each code of its own. The second half of what a call
// refuses, that of its kind, is in every-refusal.test.ts.
const app = await testApp();
const folder = mkdtempSync(path.join(tmpdir(), 'calls-'));
Object.assign(app.dependencies, {
  signing: createEmbeddedSigning({
    store: createEnvelopeStore(app.records.database),
    openKey: () =>
      openSealKey(path.join(folder, 'seal.pem'), { owner: randomBytes(4).toString('hex'), now: new Date() }),
    signingPage: 'http://product.test/sign',
  }),
});
const base = await app.app.listen({ port: 0, host: '127.0.0.1' });
afterAll(() => rmSync(folder, { recursive: true }));
const book = new ExampleBook();
afterAll(() => {
  if (process.env['RECORD_EXAMPLES']) book.write();
});
const {
  payments,
  config: { telegramBot },
} = app.dependencies;
beforeEach(async () => {
  Object.assign(app.dependencies, { payments });
  Object.assign(app.dependencies.config, { telegramBot });
  await reportCash(app, cashOf(1_000_000));
  app.world.authorization = 'granted';
});

const ENDPOINTS = Object.entries(EVERY_ENDPOINT) as [EndpointName, Endpoint][];

/** What the suite of refusals asks of every call, so that no case of its own is needed. */
const ASKED_OF_ALL: readonly ErrorCode[] = [
  'malformed_request',
  'invalid_field',
  'unauthenticated',
  'confirmation_required',
  'key_refused',
  'key_limit',
  'approval_required',
  'second_factor_required',
  'payload_too_large',
  'unsupported_media_type',
  'too_many_requests',
  'internal_error',
  'unavailable',
];

test.each(ENDPOINTS)('%s has a case of success and one of each code that it lists', (name, endpoint) => {
  const cases = EVERY_CASE[name];
  const wanted = refusalCodes(endpoint).filter(
    (code) =>
      !ASKED_OF_ALL.includes(code) &&
      !(code === 'not_found' && endpoint.params) &&
      !(code === 'invalid_token' && endpoint.opensByLink),
  );
  expect(Object.keys(cases ?? {})).toEqual(expect.arrayContaining(['success', ...wanted]));
  const listed = ['success', ...refusalCodes(endpoint)];
  expect(Object.keys(cases ?? {}).filter((said) => !listed.includes(said))).toEqual([]);
  expect(
    endpoint.refusals.filter((refusal) => typeof refusal === 'number'),
    'codes, not statuses',
  ).toEqual([]);
});

describe.each(ENDPOINTS)('%s', (name, endpoint) => {
  const cases = Object.entries(EVERY_CASE[name] ?? {}) as ['success' | ErrorCode, CallCase][];
  test.each(cases)('%s', async (wanted, make) => {
    const sent = await make(app);
    const answer = await sendOverSocket(base, await prepare(endpoint, sent));
    book.note(name, endpoint, { said: wanted, sent, answer });
    const status = wanted === 'success' ? endpoint.status : ERROR_CODES[wanted].status;
    const isPage = endpoint.refusesWithPage && wanted !== 'success';
    expect(answer, answer.text).toMatchObject({ status, said: isPage ? 'page' : wanted });
    expect(answer.headers['cache-control'], 'every answer says whether it may be kept').toBeDefined();
    if (status === 204) expect(answer.text).toBe('');
    else if (status < 400)
      expect(answer.headers['content-type']).toContain(endpoint.media ?? 'application/json');
    if (status === 503) expect(Number(answer.headers['retry-after'])).toBeGreaterThan(0);
  });
});

// The marketplace filters in the browser, and the server answers the same questions: both must say the same.
describe('the filters of the marketplace', async () => {
  type Described = Pick<
    StrategyRecord,
    'id' | 'name' | 'description' | 'shortDescription' | 'kind' | 'riskLevel' | 'strategyType' | 'market'
  >;

  const words = fc.constantFrom(
    'Trend',
    'carry',
    'ÉTÉ',
    'été',
    'İstanbul',
    'ß',
    'gold & oil',
    '%',
    '_',
    '.*',
    ' ',
  );
  const sentence = fc
    .array(fc.oneof(words, fc.string({ maxLength: 6 })), { maxLength: 4 })
    .map((parts) => parts.join(' '));
  const strategies: fc.Arbitrary<Described[]> = fc.array(
    fc.record({
      id: fc.uuid() as fc.Arbitrary<StrategyRecord['id']>,
      name: sentence,
      description: sentence,
      shortDescription: sentence,
      kind: fc.constantFrom(...INSTRUMENT_KINDS),
      riskLevel: fc.constantFrom(...RISK_LEVELS),
      strategyType: fc.constantFrom(...STRATEGY_TYPES),
      market: fc.constantFrom('us' as const, 'global' as const),
    }),
    { maxLength: 12 },
  );
  const oneOf = (choices: readonly { readonly value: string }[]) =>
    fc.constantFrom(...choices.map(({ value }) => value));
  const filters: fc.Arbitrary<StrategyFilter> = fc.record({
    search: fc.oneof(words, sentence),
    market: oneOf(MARKET_FILTERS),
    risk: oneOf(RISK_FILTERS),
    type: oneOf(TYPE_FILTERS),
  });

  /** The browser's view of what the server has as a record. */
  const shown = ({ kind, riskLevel, strategyType, ...described }: Described) => ({
    ...described,
    asset_class: kind,
    risk_level: riskLevel,
    strategy_type: strategyType as Strategy['strategy_type'],
  });

  test('for any strategies and any filter, browser and server choose the same', () => {
    fc.assert(
      fc.property(strategies, filters, (all, filter) => {
        const inBrowser = filterStrategies(all.map(shown), filter).map(({ id }) => id);
        const onServer = all
          .filter((one) => isWanted(one as StrategyRecord, filter as StrategyFilters))
          .map(({ id }) => id);
        expect(onServer).toEqual(inBrowser);
      }),
      { numRuns: 500 },
    );
  });

  const app = await testApp();

  test('over a catalogue in the database, each choice of the screen gets from the server what the screen would show', async () => {
    for (const [i, kind] of INSTRUMENT_KINDS.entries()) {
      for (const [j, riskLevel] of RISK_LEVELS.entries()) {
        const id = await publishedStrategy(app, {
          name: `${kind} ${riskLevel} trend`,
          kind,
          riskScore: j + 1,
        });
        await app.records.pool.query(
          'update strategies set risk_level = $1, strategy_type = $2 where id = $3',
          [riskLevel, STRATEGY_TYPES[(i * RISK_LEVELS.length + j) % STRATEGY_TYPES.length], id],
        );
      }
    }
    const ask = async (url: string, body?: object) => {
      const method = body ? 'POST' : 'GET';
      const answer = await app.request({ method, url, ...(body && { body }) });
      expect(answer.status).toBe(200);
      return answer.body as Strategy[];
    };
    const catalogue = await ask('/api/strategies/');
    expect(catalogue).toHaveLength(INSTRUMENT_KINDS.length * RISK_LEVELS.length);
    const choices = [
      ...MARKET_FILTERS.map(({ value }) => ({ market: value })),
      ...RISK_FILTERS.map(({ value }) => ({ risk: value })),
      ...TYPE_FILTERS.map(({ value }) => ({ type: value })),
      { search: ' CRYPTO low ' },
      { search: 'nothing like it' },
      { market: 'stocks', risk: 'medium', search: 'trend' },
    ];
    for (const choice of choices) {
      const filter: StrategyFilter = { search: '', market: 'all', risk: 'all', type: 'all', ...choice };
      const expected = filterStrategies(catalogue, filter).map(({ id }) => id);
      const { search, ...selected } = filter;
      const asked = search === '' ? selected : filter;
      const query = new URLSearchParams(asked);
      expect((await ask(`/api/strategies/?${query}`)).map(({ id }) => id)).toEqual(expected);
      expect((await ask('/api/strategies/filter/', asked)).map(({ id }) => id)).toEqual(expected);
    }
  });
});
