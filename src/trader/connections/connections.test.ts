import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { BROKER_FAILURE_CODES, type BrokerFailureCode } from '#engine/execution/connection/broker-failure.ts';
import type { BrokerSession } from '#ports/broker.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { NOW, tradingFloor } from '#tests/support/trading-floor.ts';
import type { TradingContext } from '#trader/trading-context.ts';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, MINUTE_MS } from '#units/instant.ts';
import { BrokerUnavailable } from './broker-unavailable.ts';
import { createConnectionPool } from './connection-pool.ts';
import { type KnownConnection, newConnection } from './connection.ts';
import { noteGap, noteReconciled, noteReset } from './save-session.ts';
import { wallAfter, wallInstant, wallInstantOf } from '#units/wall-instant.ts';

describe('the connection pool', async () => {
  const floor = await tradingFloor(await testDatabase());
  await floor.deploy(await floor.person());

  /** How often a session is opened while each look fails and the session reports this status. */
  async function openedWhile(
    status: ReturnType<BrokerSession['sessionState']>['status'],
    looks: number,
    everyMs = 10 * 60_000,
  ): Promise<number> {
    let opened = 0;
    let now = 1_000_000;
    const fails = async () => ({ outcome: 'failed', code: 'no_session', reason: 'it is elsewhere' });
    const session = {
      orders: fails,
      executions: fails,
      positions: fails,
      keepAlive: fails,
      sessionState: () => ({ status, detail: '' }),
      close: async () => undefined,
    };
    const context = {
      ...floor.context,
      realNow: () => wallInstant(now),
      openCredentials: () => ({}),
      brokers: [
        {
          vendor: 'scripted',
          openSession: async () => {
            opened += 1;
            return { outcome: 'ok', value: session };
          },
          resetAt: () => null,
          limits: { executionHistoryDays: 7, listLagMs: 900_000 },
        },
      ],
    } as unknown as TradingContext;
    const connections = createConnectionPool();
    for (let look = 0; look < looks; look++) {
      await connections.reconcile(context, Number.POSITIVE_INFINITY);
      now += everyMs;
    }
    await connections.close();
    return opened;
  }

  test('a session that yielded to another program is kept and asked again: a new one would take over', async () => {
    expect(await openedWhile('competing', 6)).toBe(1);
  });

  test('a read-only permission is checked again, at long intervals', async () => {
    expect(await openedWhile('read_only', 4)).toBe(4);
    expect(await openedWhile('read_only', 6, 10_000)).toBe(2);
  });

  test('a session that is gone is reopened at each look', async () => {
    expect(await openedWhile('lost', 4)).toBe(4);
  });
});

describe('the health of a session', async () => {
  const handle = await testDatabase();
  const floor = await tradingFloor(handle);

  /** The expected knowledge about a session, as far as it follows from the events. */
  type Model = {
    minute: number;
    isUp: boolean;
    state: string | null;
    refusals: { first: number; count: number } | null;
    isRevoked: boolean;
  };

  type Real = {
    readonly context: TradingContext;
    readonly connection: Parameters<typeof noteReconciled>[1];
    readonly known: KnownConnection;
    /** Status that the adapter reports. */
    status: string;
  };

  const STATES: { readonly [status: string]: string } = {
    connected: 'connected',
    competing: 'competing',
    degraded: 'degraded',
    read_only: 'read_only',
    lost: 'lost',
  };
  const session = (real: Real) =>
    ({ sessionState: () => ({ status: real.status, detail: '' }) }) as unknown as BrokerSession;

  type Command = fc.AsyncCommand<Model, Real>;

  /** The result of each event: the health, the row that screens read, the connection, and the notices to the person. */
  async function agree(model: Model, { known: { health }, connection }: Real): Promise<void> {
    expect(health.reconciledSince !== null).toBe(model.isUp);
    if (!model.isUp) expect(health.held).toBeNull();
    const { rows } = await handle.pool.query(
      `select (select state from broker_sessions where connection_id = $1) as state,
       (select status from broker_connections where id = $1) as connection,
       (select count(*)::int from notifications where cause = 'broker_disconnected:' || $1::text) as reported`,
      [connection.id],
    );
    const reported = model.isRevoked
      ? { connection: 'revoked', reported: 1 }
      : { connection: 'active', reported: 0 };
    expect(rows).toEqual([{ state: model.state, ...reported }]);
  }

  const at = (model: Model): Instant => (NOW + model.minute * MINUTE_MS) as Instant;
  const seenAt = (model: Model, { context }: Real): TradingContext => ({
    ...context,
    now: at(model),
    realNow: () => wallInstantOf(at(model)),
  });

  class Reconciled implements Command {
    readonly status: string;
    constructor(status: string) {
      this.status = status;
    }
    check = () => true;
    async run(model: Model, real: Real): Promise<void> {
      real.status = this.status;
      await noteReconciled(seenAt(model, real), real.connection, {
        known: real.known,
        session: session(real),
      });
      Object.assign(model, { isUp: true, state: STATES[this.status]!, refusals: null });
      await agree(model, real);
      // The effects of a look, so that a gap has something to discard.
      real.known.health = { ...real.known.health, held: new Map([['AAA' as Symbol, 1]]) };
    }
    toString = () => `reconciled(${this.status})`;
  }

  class Failed implements Command {
    readonly code: BrokerFailureCode;
    readonly status: string;
    constructor(code: BrokerFailureCode, status: string) {
      this.code = code;
      this.status = status;
    }
    check = () => true;
    async run(model: Model, real: Real): Promise<void> {
      real.status = this.status;
      const error = new BrokerUnavailable('orders', this.code, 'told to');
      await noteGap(seenAt(model, real), real.connection, {
        known: real.known,
        session: session(real),
        error,
      });
      model.isUp = false;
      if (this.code === 'unauthorized') model.state = 'sign_in_due';
      else if (this.code === 'unreachable') model.state = 'lost';
      else if (this.code === 'rate_limited') model.state = 'paced';
      else if (this.code === 'refused' && this.status === 'read_only') model.state = 'read_only';
      else model.state = this.code === 'no_session' && this.status === 'competing' ? 'competing' : 'degraded';
      if (this.code === 'unauthorized') {
        model.refusals ??= { first: model.minute, count: 0 };
        model.refusals.count += 1;
        const lasts = model.minute - model.refusals.first >= 10;
        if (lasts && model.refusals.count >= 3) model.isRevoked = true;
      }
      await agree(model, real);
    }
    toString = () => `failed(${this.code}, ${this.status})`;
  }

  class OwnFault implements Command {
    check = () => true;
    async run(model: Model, real: Real): Promise<void> {
      const error = new Error('the database hiccuped');
      await noteGap(seenAt(model, real), real.connection, {
        known: real.known,
        session: session(real),
        error,
      });
      model.isUp = false;
      await agree(model, real);
    }
    toString = () => 'ownFault';
  }

  class Reset implements Command {
    check = () => true;
    async run(model: Model, real: Real): Promise<void> {
      const from = wallInstantOf(at(model));
      const reset = { kind: 'daily', from, until: wallAfter(from, 60 * MINUTE_MS) } as const;
      await noteReset(seenAt(model, real), real.connection, real.known, reset);
      Object.assign(model, { isUp: false, state: 'reset_window' });
      await agree(model, real);
    }
    toString = () => 'reset';
  }

  class Wait implements Command {
    readonly minutes: number;
    constructor(minutes: number) {
      this.minutes = minutes;
    }
    check = () => true;
    async run(model: Model): Promise<void> {
      model.minute += this.minutes;
    }
    toString = () => `wait(${this.minutes})`;
  }

  test('through any events a session is up only since its last full look, and gone only after lasting refusal', {
    timeout: 60_000,
  }, async () => {
    const commands = fc.commands(
      [
        fc.constantFrom(...Object.keys(STATES)).map((status) => new Reconciled(status)),
        fc
          .tuple(fc.constantFrom(...BROKER_FAILURE_CODES), fc.constantFrom('competing', 'lost', 'read_only'))
          .map(([code, status]) => new Failed(code, status)),
        fc.constant(new Failed('unauthorized', 'lost')),
        fc.constant(new OwnFault()),
        fc.constant(new Reset()),
        fc.integer({ min: 1, max: 7 }).map((minutes) => new Wait(minutes)),
      ],
      { maxCommands: 40 },
    );
    await fc.assert(
      fc.asyncProperty(commands, (all) =>
        fc.asyncModelRun(async () => {
          const active = floor.connect(await floor.person());
          const context = {
            ...floor.context,
            brokers: [{ vendor: 'scripted', resetAt: () => null }],
          } as unknown as TradingContext;
          const model: Model = { minute: 0, isUp: false, state: null, refusals: null, isRevoked: false };
          return {
            model,
            real: { context, connection: active.connection, known: newConnection(), status: 'connected' },
          };
        }, all),
      ),
      { numRuns: 40 },
    );
  });

  test('in a gap the screens show when everything was last compared, not when the session began', async () => {
    const { connection } = floor.connect(await floor.person());
    const known = newConnection();
    const after = (minute: number) => {
      const seen = (NOW + minute * MINUTE_MS) as Instant;
      return {
        ...floor.context,
        now: seen,
        realNow: () => wallInstantOf(seen),
        brokers: [{ vendor: 'scripted', resetAt: () => null }],
      } as never;
    };
    const connected = {
      sessionState: () => ({ status: 'connected', detail: '' }),
    } as unknown as BrokerSession;
    await noteReconciled(after(0), connection, { known, session: connected });
    await noteReconciled(after(90), connection, { known, session: connected });
    const error = new BrokerUnavailable('orders', 'unreachable', 'told to');
    await noteGap(after(91), connection, { known, session: connected, error });
    const { rows } = await handle.pool.query(
      'select state, since, reconciled_at from broker_sessions where connection_id = $1',
      [connection.id],
    );
    const at = (minute: number) => new Date(NOW + minute * MINUTE_MS);
    expect(rows).toEqual([{ state: 'lost', since: at(91), reconciled_at: at(90) }]);
  });
});
