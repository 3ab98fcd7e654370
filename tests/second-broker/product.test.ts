// The whole product against a broker that it did not bring along: started by the documented settings alone, a client signs in
// through the broker's own pages, deploys and trades for days, while sessions end, keys expire and the trader is killed.
// What is true is what the broker's own books say.
import { setTimeout as sleep } from 'node:timers/promises';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import type { BrokerConnection } from '#contract/brokerage.ts';
import type { Deployment } from '#contract/deployments.ts';
import { deploy, type Investor, makeInvestor } from '#tests/support/investor.ts';
import type { RunningProduct } from '#tests/support/product.ts';
import { walkInSteps } from '#tests/support/steps.ts';
import { cashDifferences, executionDifferences, holdingDifferences } from './compare-books.ts';
import { signInAtSecondBroker } from './sign-in.ts';
import { openStage, type Stage } from './stage.ts';
import { SHARES } from './tape.ts';

const ACCOUNT = 'DU7001';
const OTHER_ACCOUNT = 'DU7000';
/** Shares of the client's own, which no strategy may touch. */
const OWN = { ALFA: 40 };
const PERSON = { user: 'ada', password: 'lovelace' };

describe('the product at a second broker', () => {
  let stage: Stage;
  let product: RunningProduct;
  let investor: Investor;
  /** Deployments by the share that they trade. */
  const deployments = new Map<string, string>();
  const compared = () => ({
    books: stage.broker.books,
    account: ACCOUNT,
    databaseUrl: stage.databaseUrl(),
  });

  beforeAll(async () => {
    stage = await openStage({
      seed: 11,
      people: { [PERSON.user]: PERSON.password },
    });
    stage.broker.books.open(PERSON.user, OTHER_ACCOUNT, 2_000);
    stage.broker.books.open(PERSON.user, ACCOUNT, 1_000_000, OWN);
  });
  afterAll(() => stage?.close(), 60_000);

  const step = walkInSteps({ timeout: 120_000 });
  const day = async (date: string, ...times: string[]) => {
    for (const time of times) await stage.goTo(`${date}T${time}:00Z`);
  };

  const stop = (share: string) => investor.call('POST', `/api/deployments/${deployments.get(share)}/stop/`);
  const statuses = async () => {
    const shown = await investor.call<Deployment[]>('GET', '/api/deployments/');
    return shown
      .map((one) => `${one.strategy_name.slice(0, 4)} ${one.status} ${one.positions.length}`)
      .toSorted();
  };

  step('npm start comes up with another broker, with a catalogue and without a demo account', async () => {
    product = await stage.home.start(stage.settings);
    await stage.clock.pause();
    expect(product.output()).toContain('Trading through interactive-brokers at http://127.0.0.1:');
    expect(product.output()).not.toContain('Demo sign-in');
    expect(await stage.rows('select email from users')).toEqual([]);
    const listed = await stage.rows('select name from strategies order by name');
    const rules = SHARES.map((share) => `${share} above its average`);
    expect(listed.map(({ name }) => name)).toEqual(expect.arrayContaining(rules));
  });

  step('a client signs in at the broker’s own pages and deploys', async () => {
    investor = await makeInvestor(stage.home.baseUrl, 'ada@second.example', (url) =>
      signInAtSecondBroker(url, PERSON),
    );
    const connection = `/api/broker-connections/${investor.connectionId}`;
    const granted = async () => investor.call<BrokerConnection>('GET', `${connection}/`);
    await expect.poll(granted).toMatchObject({ connection_status: 'choose_account' });
    const choice = (await granted()).accounts?.find(({ title }) => title.endsWith(ACCOUNT));
    await investor.call('POST', `${connection}/choose_account/`, { account: choice?.key });
    expect((await granted()).connection_status).toBe('active');
    const plan = { plan: 'pro', interval: 'monthly' };
    await investor.call('POST', '/api/billing/plan/', plan, { 'idempotency-key': 'plan' });
    await day('2026-02-02', '15:00');
    for (const share of SHARES)
      deployments.set(
        share,
        await deploy(investor, `${share} above its average`, { amount: 20_000, stopLoss: 10 }),
      );
    await stage.settled();
  });

  step('it trades while a brokerage session ends and the trader is killed', async () => {
    await day('2026-02-02', '17:50', '21:05');
    await day('2026-02-03', '14:35');
    stage.broker.endSessions();
    await day('2026-02-03', '17:50', '21:05');
    stage.broker.answerPages(1);
    await day('2026-02-04', '14:35');
    product.killRole('trader');
    await day('2026-02-04', '17:50', '21:05');
    expect(stage.broker.books.executions.length).toBeGreaterThan(4);
  });

  step('a fall within a day sells once what it falls through', async () => {
    stage.broker.endDayKeys();
    await day('2026-02-05', '14:35', '17:50', '20:30', '21:05');
    expect(stage.broker.books.held(ACCOUNT, 'CHRL')).toBe(0);
  });

  step('three of four are stopped just after a session has ended', async () => {
    await day('2026-02-06', '14:35');
    stage.broker.endSessions();
    for (const share of ['ALFA', 'BRVO', 'CHRL']) await stop(share);
    await day('2026-02-06', '17:50', '21:05');
    await day('2026-02-09', '14:35', '17:50', '20:30', '21:05');
    expect(await statuses()).toEqual(['ALFA stopped 0', 'BRVO stopped 0', 'CHRL stopped 0', 'DLTA active 1']);
  });

  test('nothing happened at the broker that must not', () => {
    expect(stage.broker.books.findings).toEqual([]);
  });

  test('every execution is booked once, as the broker has it', async () => {
    expect(await executionDifferences(compared())).toEqual([]);
  });

  test('holdings agree', async () => {
    expect(await holdingDifferences(compared())).toEqual([]);
  });

  test('cash agrees to the cent', async () => {
    expect(await cashDifferences(compared())).toEqual([]);
  });

  test('the product’s own verification holds', async () => {
    const { code, output } = await stage.home.run('verify', [], stage.settings);
    expect(code, output).toBe(0);
  });

  test('after a penalty nothing is asked, not even by a trader that starts anew', async () => {
    stage.broker.penalise();
    await investor.call('POST', `/api/broker-connections/${investor.connectionId}/test_connection/`);
    await expect.poll(() => stage.broker.requestsInPenalty).toBeGreaterThan(0);
    product.killRole('trader');
    await sleep(3_000);
    expect(stage.broker.requestsInPenalty).toBe(1);
  });
});
