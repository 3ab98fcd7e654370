import { requestStatus } from '../support/deployment-commands.ts';
import { afterAll, afterEach, beforeEach, describe, expect, test, vi } from 'vitest';
import { shownReason } from '../support/shown-reason.ts';
import { testDatabase } from '../support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '../support/trading-world.ts';
import { parseStaffArguments } from '#processes/staff/staff-arguments.ts';
import { runStaffCommand } from '#processes/staff/staff-command.ts';
import type { StaffResult } from '#processes/staff/staff-result.ts';
import { shownNotices } from '../support/shown-notices.ts';
import { wallAfter, wallInstantOf } from '#units/wall-instant.ts';

const handle = await testDatabase();
let steadyMs = () => 0;
const world = await tradingWorld(handle, () => steadyMs());
const { market, venue } = world;
afterAll(() => world.trader.close());
const version = await world.addStrategy(BOTH_ABOVE_30);
market.closeDay();

const rows = async (query: string, ...values: unknown[]) => (await handle.pool.query(query, values)).rows;
const statuses = async (id: string) =>
  (await rows(`select symbol, status from orders where deployment_id = $1 order by symbol, status`, id)).map(
    ({ symbol, status }) => `${symbol} ${status}`,
  );
const reason = (id: string) => shownReason(handle, id);
const runTicks = () => {
  world.wait(60_000);
  return world.trader.tick();
};
const staff = async (...words: string[]): Promise<StaffResult> => {
  const command = parseStaffArguments([...words, '--by', 'desk@example.test']);
  if (typeof command === 'string') throw new Error(command);
  return runStaffCommand(command, handle.database, 'a long password');
};
await runStaffCommand(
  { name: 'create', email: 'desk@example.test', role: 'support', firstName: 'Desk' },
  handle.database,
  'a long password',
);
const on = async (...words: string[]) => {
  const { ok, lines } = await staff('kill-switch', 'on', '--because', 'prices look wrong.', ...words);
  expect(ok).toBe(true);
  return /On: (\S+)\./.exec(lines[0]!)![1]!;
};
const off = async (id: string) => expect((await staff('kill-switch', 'off', id)).ok).toBe(true);

describe('a kill switch', () => {
  // A switch that a failing test leaves on would fail all later tests.
  afterEach(() =>
    handle.pool.query(
      `update kill_switches set lifted_by = 'test', lifted_at = now() where lifted_at is null`,
    ),
  );
  const targets: [scope: string, find: string][] = [
    ['global', ''],
    ['broker', `select slug as name from brokers where slug = 'scripted'`],
    [
      'strategy',
      `select s.slug as name from strategies s join deployments d on d.strategy_id = s.id where d.id = $1`,
    ],
    ['client', `select u.email as name from users u join deployments d on d.user_id = u.id where d.id = $1`],
  ];
  for (const [scope, find] of targets) {
    test(`for ${scope} sends no order, notifies the owner, and resumes sending when lifted`, async () => {
      const id = await world.deploy(version);
      const other = await world.deploy(version);
      const found = find === '' ? [] : await rows(find.replace('$1', `'${id}'`));
      const target = found.length === 0 ? [] : ['--target', found[0].name];
      const change = await on('--scope', scope, ...target);
      await runTicks();
      await runTicks();
      expect(await statuses(id)).toEqual(['AAA intended', 'BBB intended']);
      expect(await reason(id)).toBe(
        'The provider has halted trading: prices look wrong. No orders are sent until the halt is lifted.',
      );
      expect(await statuses(other)).toEqual(
        scope === 'client' ? ['AAA working', 'BBB working'] : ['AAA intended', 'BBB intended'],
      );
      await off(change);
      await runTicks();
      expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
      expect(await reason(id)).toBeNull();
    });
  }

  test('survives a restart, and cancels working orders if requested', async () => {
    const id = await world.deploy(version);
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
    const change = await on('--scope', 'global', '--cancel');
    await world.restart();
    await runTicks();
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA cancelled', 'AAA intended', 'BBB cancelled', 'BBB intended']);
    await off(change);
  });

  test('that comes while an order is in flight stops all sending within the promised second', async () => {
    const submitted: number[] = [];
    let answered = Number.POSITIVE_INFINITY;
    const original = venue.onCall;
    steadyMs = () => performance.now();
    await runTicks();
    venue.onCall = (call) => {
      if (call === 'submitOrder') submitted.push(performance.now());
    };
    for (let i = 0; i < 12; i++) await world.deploy(version);
    const ticking = runTicks();
    const change = await on('--scope', 'global');
    answered = performance.now();
    await ticking;
    await runTicks();
    venue.onCall = original;
    steadyMs = () => 0;
    expect(submitted.filter((at) => at > answered + 1_000)).toEqual([]);
    await off(change);
  });

  test('records in the audit log who set it and who lifted it', async () => {
    const change = await on('--scope', 'global');
    await off(change);
    const said = await rows(
      `select actor, action from audit_log where subject = $1 order by seq`,
      `kill_switch:${change}`,
    );
    expect(said).toEqual([
      { actor: 'staff:desk@example.test', action: 'kill_switch.created' },
      { actor: 'staff:desk@example.test', action: 'kill_switch.changed' },
    ]);
  });

  test('is refused if already set, for an unknown target, and from anyone who is not staff', async () => {
    const change = await on('--scope', 'global');
    expect((await staff('kill-switch', 'on', '--scope', 'global', '--because', 'x')).ok).toBe(false);
    await off(change);
    expect(
      (await staff('kill-switch', 'on', '--scope', 'client', '--target', 'nobody', '--because', 'x')).ok,
    ).toBe(false);
    const command = parseStaffArguments([
      'kill-switch',
      'on',
      '--scope',
      'global',
      '--because',
      'x',
      '--by',
      'no@example.test',
    ]);
    expect(
      typeof command === 'string' ? command : await runStaffCommand(command, handle.database, null),
    ).toMatchObject({
      ok: false,
    });
  });
});

describe('an order of unknown fate', () => {
  const quarantined = async () => {
    // Orders of other deployments are unaffected.
    for (let i = 0; i < 3; i++) await runTicks();
    const id = await world.deploy(version);
    venue.faults.push('lost, not accepted');
    await runTicks();
    expect(await statuses(id)).toEqual(['AAA unknown', 'BBB working']);
    const [{ client_order_id: order }] = await rows(
      `select client_order_id from orders where deployment_id = $1 and symbol = 'AAA'`,
      id,
    );
    return { id, order };
  };
  beforeEach(() => {
    market.closeDay();
  });
  afterEach(() => {
    venue.down = false;
  });

  test('stays unknown through its day, even if no list shows it', async () => {
    const { id } = await quarantined();
    market.openDay();
    for (let i = 0; i < 5; i++) {
      market.advance(30 * 60_000);
      await runTicks();
    }
    expect(await statuses(id)).toEqual(['AAA unknown', 'BBB filled']);
  });

  test('needs two comparisons further apart than the broker’s list lag, with the session up throughout', async () => {
    const { id } = await quarantined();
    market.openDay();
    await runTicks();
    market.closeDay();
    await runTicks();
    market.advance(10 * 60_000);
    await runTicks();
    expect(await statuses(id)).toContain('AAA unknown');
    // A gap between the two: the first one no longer counts.
    venue.down = true;
    await runTicks();
    venue.down = false;
    market.advance(10 * 60_000);
    await runTicks();
    expect(await statuses(id)).toContain('AAA unknown');
    market.advance(16 * 60_000);
    await runTicks();
    expect(await statuses(id)).toContain('AAA expired');
  });

  test('is resolved by a named person; the order is never sent again, and a new one is decided', async () => {
    const { id, order } = await quarantined();
    expect(
      (await staff('resolve-order', order, '--never-arrived', '--because', 'the broker says so')).ok,
    ).toBe(true);
    await runTicks();
    expect(await statuses(id)).toContain('AAA cancelled');
    expect(venue.submissions.filter((one) => one === order)).toHaveLength(1);
    const [{ actor }] = await rows(
      `select actor from audit_log where action = 'order_resolution.created' order by seq desc limit 1`,
    );
    expect(actor).toBe('staff:desk@example.test');
  });
});

describe('two deployments of one account', () => {
  test('never have opposite orders of one instrument at the broker: one waits', async () => {
    const first = await world.deploy(version, { account: 'SHARED' });
    await runTicks();
    market.openDay();
    await runTicks();
    expect(await statuses(first)).toEqual(['AAA filled', 'BBB filled']);
    market.closeDay();
    const second = await world.deploy(version, { account: 'SHARED' });
    await runTicks();
    expect(await statuses(second)).toEqual(['AAA working', 'BBB working']);
    await requestStatus(handle.pool, first, 'stopped');
    // No order blocks an exit: the purchases are cancelled first, then the exits leave.
    await runTicks();
    const opposite = () =>
      venue.orders.filter(
        ({ accountId, status, side, symbol }) =>
          accountId === 'SHARED' &&
          status === 'working' &&
          venue.orders.some(
            (other) =>
              other.accountId === accountId &&
              other.symbol === symbol &&
              other.side !== side &&
              other.status === 'working',
          ),
      );
    expect(opposite()).toEqual([]);
    for (let i = 0; i < 4; i++) {
      await runTicks();
      expect(opposite()).toEqual([]);
    }
    market.openDay();
    for (let i = 0; i < 4; i++) await runTicks();
    expect(await statuses(first)).toEqual(['AAA filled', 'AAA filled', 'BBB filled', 'BBB filled']);
    expect(await rows(`select status from deployments where id = $1`, first)).toEqual([
      { status: 'stopped' },
    ]);
  });
});

test('after a gap nothing is sent before orders, executions and positions are read', async () => {
  market.closeDay();
  await world.deploy(version);
  const calls: string[] = [];
  await world.restart();
  venue.onCall = (call) => {
    calls.push(call);
  };
  await runTicks();
  venue.onCall = null;
  const first = calls.indexOf('submitOrder');
  expect(first).toBeGreaterThan(0);
  for (const needed of ['orders', 'executions', 'positions']) expect(calls.slice(0, first)).toContain(needed);
});

test('after the chosen minutes of broker silence the owner’s chosen action happens, and the owner is notified', async () => {
  const [waits, pauses, closes] = [
    await world.deploy(version),
    await world.deploy(version),
    await world.deploy(version),
  ];
  await rows(
    `update deployments set disconnect_minutes = 30, disconnect_choice = 'pause' where id = $1`,
    pauses,
  );
  await rows(
    `update deployments set disconnect_minutes = 30, disconnect_choice = 'close' where id = $1`,
    closes,
  );
  const states = async () =>
    Promise.all(
      [waits, pauses, closes].map(
        async (id) => (await rows(`select status from deployments where id = $1`, id))[0].status,
      ),
    );
  const silence = async (minutes: number) => {
    venue.down = true;
    await runTicks();
    market.advance(minutes * 60_000);
    await runTicks();
    venue.down = false;
    await runTicks();
    await runTicks();
  };
  await runTicks();
  await silence(20);
  expect(await states()).toEqual(['active', 'active', 'active']);
  await silence(31);
  expect((await states()).slice(0, 2)).toEqual(['active', 'paused']);
  expect((await states())[2]).toMatch(/stopp/);
  const messages = (await shownNotices(handle, `kind = 'broker_reconnected'`)).toSorted((a, b) =>
    a.message.localeCompare(b.message),
  );
  expect(messages.map(({ deployment }) => deployment)).toEqual([closes, pauses]);
  expect(messages[1]?.message).toMatch(
    /did not respond for 31 minutes. As you chose, Both above thirty is paused/,
  );
});

test('in a planned reset nothing is sent or concluded, and it does not count as silence', async () => {
  market.closeDay();
  const id = await world.deploy(version);
  const from = wallInstantOf(market.now());
  const until = wallAfter(from, 3_600_000);
  const { broker } = venue;
  const resets = vi.spyOn(broker, 'resetAt').mockReturnValue({ kind: 'daily', from, until });
  const before = venue.submissions.length;
  await runTicks();
  await runTicks();
  resets.mockRestore();
  expect(venue.submissions).toHaveLength(before);
  expect(await statuses(id)).toEqual(['AAA intended', 'BBB intended']);
  const session = async () =>
    rows(
      `select state, unresponsive_since from broker_sessions where connection_id = (select broker_connection_id from deployments where id = $1)`,
      id,
    );
  expect(await session()).toEqual([{ state: 'reset_window', unresponsive_since: null }]);
  await runTicks();
  expect(await statuses(id)).toEqual(['AAA working', 'BBB working']);
  expect(await session()).toEqual([{ state: 'connected', unresponsive_since: null }]);
  const [{ broker_connection_id: connection }] = await rows(
    `select broker_connection_id from deployments where id = $1`,
    id,
  );
  expect(
    await rows(
      `select state, until, reconciled_at is not null as reconciled from broker_sessions where connection_id = $1`,
      connection,
    ),
  ).toEqual([{ state: 'connected', until: null, reconciled: true }]);
});
