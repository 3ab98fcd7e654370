// One close in a whole world: a trader decides and sends, another books after a restart, the API streams the fill. None of them
// tells the others anything but by the records, and the collector sees one trace.
import { randomUUID } from 'node:crypto';
import { afterAll, beforeEach, describe, expect, test, vi } from 'vitest';
import { openTelemetry } from '#adapters/tracing/open-telemetry/open-telemetry.ts';
import { LATENCY_BOUNDS } from '#records/operations/chain-latencies.ts';
import { StreamHub } from '#server/stream/stream-hub.ts';
import type { CollectedSpan } from '#tests/support/trace-collector.ts';
import { startTraceCollector } from '#tests/support/trace-collector.ts';
import { testApp } from '#tests/support/test-app.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';
import type { UserId } from '#units/identifiers.ts';

const app = await testApp();
const { records } = app;
const world = await tradingWorld(records);
const collector = await startTraceCollector();
const KEY = 'a-key-of-the-operator';
vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
vi.stubEnv('OTEL_EXPORTER_OTLP_HEADERS', `x-collector-key=${KEY}`);
afterAll(() => void vi.unstubAllEnvs());
const troubles: string[] = [];
const open = (service: string, sampled = 1) =>
  openTelemetry({
    service,
    version: '0.0.0-test',
    sampled,
    bounds: LATENCY_BOUNDS,
    onTrouble: (message) => troubles.push(message),
  });
afterAll(async () => {
  await world.trader.close();
  await collector.close();
});

beforeEach(() => {
  collector.mood = 'takes';
  collector.spans.length = 0;
  collector.histograms.length = 0;
  collector.requests.length = 0;
});

const ACCOUNT = 'DU7654321';
const version = await world.addStrategy(BOTH_ABOVE_30);
const deployment = await world.deploy(version, { account: ACCOUNT });
const { rows } = await records.pool.query<{ user_id: UserId; email: string }>(
  'select d.user_id, u.email from deployments d join users u on u.id = d.user_id where d.id = $1',
  [deployment],
);
const { user_id: userId, email } = rows[0]!;

async function listenAs(hub: StreamHub): Promise<() => void> {
  const sessionId = randomUUID();
  await records.pool.query(
    `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
    [sessionId, userId],
  );
  const stream = hub.open({ userId, sessionId })!;
  stream.resume();
  return () => void stream.destroy();
}

const childrenOf = (spans: readonly CollectedSpan[], parent: CollectedSpan | null) =>
  spans.filter(({ parentSpanId }) => parentSpanId === (parent?.spanId ?? null));

/** Each span with what follows from it; orders in the order of their instruments. */
function treeOf(spans: readonly CollectedSpan[], parent: CollectedSpan | null = null): unknown {
  const ordered = childrenOf(spans, parent).toSorted((a, b) => nameOf(a).localeCompare(nameOf(b)));
  return Object.fromEntries(ordered.map((span) => [nameOf(span), treeOf(spans, span)]));
}

const nameOf = ({ service, name, attributes }: CollectedSpan) =>
  [service, name, attributes['bellwether.instrument']].filter((part) => part !== undefined).join(' ');

const order = (symbol: string) => ({
  [`deciding intent ${symbol}`]: {
    [`deciding send ${symbol}`]: {
      [`deciding acknowledge ${symbol}`]: {
        [`booking fill ${symbol}`]: { [`streaming push ${symbol}`]: {} },
      },
    },
  },
});

describe('one close', () => {
  test('is one trace from the close to each order and back to the fill on a screen', async () => {
    const tracing = { deciding: open('deciding'), booking: open('booking'), streaming: open('streaming') };
    const hub = new StreamHub(
      { ...app.dependencies, records, tracing: tracing.streaming },
      { notification: () => ({}), deployment: async () => undefined },
    );
    const pushes: number[] = [];
    hub.measurePushes((seconds) => pushes.push(seconds));
    const stopListening = await listenAs(hub);
    world.tracing = tracing.deciding;
    await world.restart();
    await new Promise((firstTurn) => setTimeout(firstTurn, 1_500));

    world.market.closeDay();
    await world.trader.tick();
    world.tracing = tracing.booking;
    await world.restart();
    world.market.openDay();
    await world.trader.tick();
    while (pushes.length < 2) await new Promise((turn) => setTimeout(turn, 50));
    stopListening();
    await hub.close();
    await Promise.all(Object.values(tracing).map((one) => one.stop()));

    const { rows: targets } = await records.pool.query<{ id: string }>('select id from targets');
    const traceIds = new Set(collector.spans.map(({ traceId }) => traceId));
    expect([...traceIds]).toEqual([targets[0]!.id.replaceAll('-', '')]);
    expect(treeOf(collector.spans)).toEqual({
      'deciding close': {
        'deciding bars': {},
        'deciding targets': { ...order('AAA'), ...order('BBB') },
      },
    });
    const ids = collector.spans.map(({ spanId }) => spanId);
    expect(new Set(ids).size).toBe(ids.length);
    expect(collector.spans.every(({ from, until, hasFailed }) => from <= until && !hasFailed)).toBe(true);
    expect(troubles).toEqual([]);
  });

  test('says nothing of people, accounts, amounts and keys', async () => {
    const tracing = open('deciding');
    world.tracing = tracing;
    await world.restart();
    world.market.setPrice('AAA', 20);
    world.market.closeDay();
    await world.runTicks();
    world.market.openDay();
    await world.runTicks();
    await tracing.stop();
    const sent = collector.requests.map(({ path, body }) => path + body).join('\n');
    expect(collector.spans.map(({ name }) => name)).toContain('fill');
    for (const secret of [KEY, userId, email, ACCOUNT, 'secret', 'token', 'password'])
      expect(sent).not.toContain(secret);
    const numbers = collector.spans.flatMap(({ attributes }) =>
      Object.entries(attributes).flatMap(([name, value]) => (typeof value === 'number' ? [name] : [])),
    );
    expect(new Set(numbers)).toEqual(new Set(['bellwether.bars']));
    const named = new Set(collector.spans.flatMap(({ attributes }) => Object.keys(attributes)));
    expect([...named].toSorted()).toEqual([
      'bellwether.bars',
      'bellwether.deployment.id',
      'bellwether.instrument',
      'bellwether.known_by',
      'bellwether.order.client_id',
      'bellwether.order.id',
      'bellwether.order.purpose',
      'bellwether.outcome',
      'bellwether.stage',
      'bellwether.strategy.version',
      'bellwether.target.id',
    ]);
    expect(collector.requests.every(({ headers }) => headers['x-collector-key'] === KEY)).toBe(true);
    const counted = collector.histograms.filter(({ name }) => name === 'chain.stage.duration');
    expect(counted.map(({ stage }) => stage).toSorted()).toEqual(
      ['acknowledge', 'bars', 'close', 'fill', 'intent', 'send', 'targets'].toSorted(),
    );
    expect(counted[0]!.bounds).toEqual(LATENCY_BOUNDS);
  });

  test('an order that is rejected is a failure in its trace', async () => {
    const tracing = open('deciding');
    world.tracing = tracing;
    await world.restart();
    world.market.setPrice('AAA', 100);
    world.venue.faults.push('rejected');
    world.market.closeDay();
    await world.runTicks();
    await tracing.stop();
    const failed = collector.spans.filter(({ hasFailed }) => hasFailed);
    expect(failed.map(({ name, attributes }) => [name, attributes['bellwether.outcome']])).toEqual([
      ['acknowledge', 'rejected'],
    ]);
  });

  test('an order without a target is a trace of its own', async () => {
    await world.deploy(version, { account: 'DU8765432', stopLoss: 5 });
    world.market.openDay();
    await world.runTicks();
    const tracing = open('deciding');
    world.tracing = tracing;
    await world.restart();
    world.market.setPrice('BBB', 33);
    await world.runTicks(4);
    await tracing.stop();
    const { rows: exits } = await records.pool.query<{ id: string; symbol: string }>(
      "select id, symbol from orders where purpose = 'stop_loss'",
    );
    expect(exits.map(({ symbol }) => symbol)).toEqual(['BBB']);
    const own = collector.spans.filter(({ traceId }) => traceId === exits[0]!.id.replaceAll('-', ''));
    expect(treeOf(own)).toEqual({
      'deciding send BBB': { 'deciding acknowledge BBB': { 'deciding fill BBB': {} } },
    });
  });

  test('of two processes that send a tenth each, both send the same traces', async () => {
    const count = async () => {
      const tracing = open('sampling', 0.1);
      const ids = Array.from(
        { length: 200 },
        (_, nth) =>
          `${String(nth).padStart(8, '0')}-1111-4111-8111-${String(nth * 7_919_993).padStart(12, '0')}`,
      );
      const at = world.realNow();
      for (const trace of ids)
        tracing.trace({
          trace: trace as never,
          stage: 'close',
          key: '',
          parent: null,
          facts: {},
          from: at,
          until: at,
        });
      await tracing.stop();
      return collector.spans.splice(0).map(({ traceId }) => traceId);
    };
    const first = await count();
    expect(first.length).toBeGreaterThan(0);
    expect(first.length).toBeLessThan(60);
    expect(await count()).toEqual(first);
  });
});

describe('a collector', () => {
  test.each(['silent', 'refuses', 'away'] as const)('that is %s breaks and slows nothing', async (mood) => {
    if (mood === 'away') vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', 'http://127.0.0.1:9');
    else collector.mood = mood;
    const tracing = open('deciding');
    vi.stubEnv('OTEL_EXPORTER_OTLP_ENDPOINT', collector.url);
    world.tracing = tracing;
    await world.restart();
    world.market.setPrice('BBB', world.market.price('BBB') > 30 ? 20 : 40);
    world.market.closeDay();
    const report = await world.trader.tick();
    expect(report.problems).toEqual([]);
    expect(report.targetsWritten).toBe(1);
    // Nobody waits for it, and what it does not take has an end.
    for (let spans = 0; spans < 50_000; spans += 1) {
      const at = world.realNow();
      tracing.trace({
        trace: randomUUID() as never,
        stage: 'close',
        key: '',
        parent: null,
        facts: {},
        from: at,
        until: at,
      });
    }
    world.market.openDay();
    expect((await world.trader.tick()).problems).toEqual([]);
    await tracing.stop();
    await world.everythingHolds();
  });

  test('hears nothing where tracing is off', async () => {
    const { NO_TRACING } = await import('#ports/tracing.ts');
    world.tracing = NO_TRACING;
    await world.restart();
    world.market.closeDay();
    await world.trader.tick();
    expect(collector.requests).toEqual([]);
  });
});

test('how long each stage took is kept for operators, whether it is traced or not', async () => {
  const { rows: kept } = await records.pool.query<{ stage: string; counts: string[] }>(
    'select stage, counts from chain_latencies order by stage',
  );
  expect(kept.map(({ stage }) => stage)).toEqual([
    'acknowledge',
    'bars',
    'close',
    'fill',
    'intent',
    'send',
    'targets',
  ]);
  const { rows: written } = await records.pool.query<{ targets: string; fills: string }>(
    'select (select count(*) from targets) as targets, (select count(*) from fills) as fills',
  );
  const total = (stage: string) =>
    kept.find((one) => one.stage === stage)!.counts.reduce((sum, count) => sum + Number(count), 0);
  expect([total('targets'), total('close'), total('fill')]).toEqual(
    [written[0]!.targets, written[0]!.targets, written[0]!.fills].map(Number),
  );
});
