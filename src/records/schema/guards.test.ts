import { randomUUID } from 'node:crypto';
import { describe, expect, test } from 'vitest';
import { actAs, checkAuditChain, findUnanchored, findAuditHead } from '#records/operations/audit-log.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { BOTH_ABOVE_30, tradingWorld } from '#tests/support/trading-world.ts';

describe('the audit log', async () => {
  const handle = await testDatabase();
  const { database, pool, owner } = handle;
  const world = await tradingWorld(handle);
  const version = await world.addStrategy(BOTH_ABOVE_30);
  const id = await world.deploy(version);
  world.market.closeDay();
  await world.trader.tick();
  world.market.openDay();
  await world.trader.tick();
  await world.trader.close();

  const rows = async (query: string, ...values: unknown[]) => (await pool.query(query, values)).rows;
  const check = (anchors: Parameters<typeof checkAuditChain>[1] = []) => checkAuditChain(database, anchors);

  test('a deployment that starts and buys logs who did it, what moved, and an intact chain', async () => {
    const edges = await rows(
      `select actor, details::jsonb -> 'to' ->> 'status' as became from audit_log
     where subject = $1 order by seq`,
      `deployment:${id}`,
    );
    const { user_id: client } = (await rows('select user_id from deployments'))[0];
    expect(edges).toEqual([
      { actor: `client:${client}`, became: 'pending' },
      { actor: 'trader', became: 'active' },
    ]);
    const moves =
      await rows(`select distinct details::jsonb -> 'moves' -> 0 ->> 'to' as became, actor from audit_log
    where action = 'orders.moved' order by 1`);
    expect(moves).toEqual([
      { became: 'filled', actor: 'trader' },
      { became: 'sending', actor: 'trader' },
      { became: 'working', actor: 'trader' },
    ]);
    const [written] = await rows(
      `select details::jsonb as details from audit_log where action = 'orders.written'`,
    );
    expect(written.details).toMatchObject({
      orders: 2,
      deployments: 1,
      digest: expect.stringMatching(/^[0-9a-f]{64}$/),
    });
    expect(await check()).toMatchObject({ broken: null });
  });

  test('a staff action is logged as theirs, and a rolled-back change leaves no row', async () => {
    const before = (await findAuditHead(database))!.seq;
    await database.transaction().execute(async (trx) => {
      await actAs(trx, 'staff:desk@example.test');
      await trx.updateTable('users').set({ role: 'support' }).execute();
    });
    await expect(
      database.transaction().execute(async (trx) => {
        await trx.updateTable('users').set({ role: 'provider' }).execute();
        throw new Error('no');
      }),
    ).rejects.toThrow('no');
    expect(await rows('select actor, action, details from audit_log where seq > $1', before)).toEqual([
      {
        actor: 'staff:desk@example.test',
        action: 'person.changed',
        details: '{"to": {"role": "support"}, "from": {"role": "investor"}}',
      },
    ]);
  });

  test('no row can be changed, removed or truncated', async () => {
    for (const attempt of [
      `update audit_log set actor = 'nobody'`,
      `delete from audit_log where seq = 1`,
      `truncate audit_log`,
    ]) {
      await expect(owner.query(attempt)).rejects.toThrow('audit_log is append-only');
      await expect(pool.query(attempt)).rejects.toThrow('permission denied for table audit_log');
    }
  });

  test('concurrent commits make one chain without a gap', async () => {
    const { seq } = (await findAuditHead(database))!;
    await Promise.all(
      Array.from({ length: 60 }, (_, i) =>
        pool.query(`insert into settings (key, value) values ($1, '1')`, [`key ${i}`]),
      ),
    );
    expect((await findAuditHead(database))!.seq).toBe(seq + 60);
    expect(await check()).toMatchObject({ broken: null });
    expect(await rows('select * from audit_queue')).toEqual([]);
  });

  test('the auditor reads the views and the log, and nothing else', async () => {
    const readable = await rows(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p')
         and has_any_column_privilege('auditor', oid, 'select') order by 1`,
    );
    const views = await rows(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind = 'v'
         and starts_with(relname, 'audit_') union select 'audit_log' order by 1`,
    );
    expect(readable).toEqual(views);
    expect(readable.length).toBeGreaterThan(15);
    const client = await pool.connect();
    try {
      await client.query('begin; set local role auditor');
      for (const { name } of readable) await client.query(`select * from ${name} limit 1`);
      for (const view of ['deployments', 'orders', 'fills', 'positions', 'ledger', 'log'])
        expect((await client.query(`select * from audit_${view}`)).rows.length).toBeGreaterThan(0);
      for (const table of ['users', 'agreements', 'authenticators', 'broker_connections', 'mails', 'bars']) {
        await client.query('savepoint before');
        await expect(client.query(`select * from ${table}`)).rejects.toThrow('permission denied');
        await client.query('rollback to before');
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('no view of the auditor shows who somebody is, what they wrote or what is secret', async () => {
    const columns = (
      await rows(
        `select distinct attname as name from pg_attribute where attnum > 0 and attrelid in (select oid from pg_class
           where relnamespace = 'public'::regnamespace and relkind = 'v' and starts_with(relname, 'audit_'))`,
      )
    ).map(({ name }) => String(name));
    const isPrivate =
      /e?mail|(first|last|signed|user)_?name|birth|country|password|token|secret|credential|sealed|address|agent|body|pdf/;
    expect(columns.filter((name) => isPrivate.test(name))).toEqual([]);
  });

  test('the auditor writes nothing', async () => {
    const tables = await rows(
      `select relname as name from pg_class where relnamespace = 'public'::regnamespace and relkind in ('r', 'v', 'p')
         and (has_any_column_privilege('auditor', oid, 'insert') or has_any_column_privilege('auditor', oid, 'update')
           or has_table_privilege('auditor', oid, 'delete') or has_table_privilege('auditor', oid, 'truncate'))`,
    );
    expect(tables).toEqual([]);
    const client = await pool.connect();
    try {
      await client.query('begin; set local role auditor');
      for (const attempt of [
        `insert into audit_log (seq, at, actor, action, subject, details, previous_hash, hash)
           values (0, now(), '', '', '', '', '', '')`,
        `update audit_deployments set cash_micro = 0`,
        `delete from audit_fee_periods`,
        `select write_audit('system', 'nothing', 'nobody', '{}')`,
        `create table mine (value text)`,
        `truncate users`,
      ]) {
        await client.query('savepoint before');
        await expect(client.query(attempt)).rejects.toThrow(/permission denied|cannot (update|delete)/);
        await client.query('rollback to before');
      }
    } finally {
      await client.query('rollback');
      client.release();
    }
  });

  test('a database owner who rewrites a row is detected, by the chain or by an anchor', async () => {
    const anchor = (await findAuditHead(database))!;
    const spoil = async (statement: string) => {
      await owner.query(`alter table audit_log disable trigger user`);
      await owner.query(statement);
      await owner.query(`alter table audit_log enable trigger user`);
    };
    await spoil(`update audit_log set details = details || ' ' where seq = 4`);
    expect((await check()).broken).toBe('row 4 is not what was written');
    await spoil(`update audit_log set details = rtrim(details) where seq = 4`);
    expect((await check([anchor])).broken).toBeNull();
    expect(await findUnanchored(database, 0)).toBeNull();
    await spoil(`update audit_log set at = at - interval '1 hour' where seq >= ${anchor.seq}`);
    expect(await findUnanchored(database, anchor.seq)).toBeNull();
    expect(await findUnanchored(database, 0)).toMatchObject({ seq: anchor.seq });
    await spoil(`delete from audit_log where seq = ${anchor.seq}`);
    expect((await check()).broken).toBeNull();
    expect((await check([anchor])).broken).toMatch(/^row \d+ is missing: row \d+ was anchored/);
    await pool.query(`insert into settings (key, value) values ('another', '1')`);
    expect((await check([anchor])).broken).toMatch(/not the one that was anchored/);
  });
});

describe('the ledger', async () => {
  const { pool } = await testDatabase();

  async function deployment(): Promise<string> {
    const [user, strategy, version, broker, connection, id] = Array.from({ length: 6 }, () => randomUUID());
    await pool.query(`insert into users (id, email, password_hash, first_name) values ($1, $2, 'x', 'A')`, [
      user,
      `${user}@example.test`,
    ]);
    await pool.query(
      `insert into strategies (id, slug, name, short_description, description, kind, strategy_type, market, risk_level, risk_score, min_investment_micro)
     values ($1, $1::uuid::text, 'n', 's', 'd', 'equity', 'momentum', 'us', 'low', 1, 1)`,
      [strategy],
    );
    await pool.query(
      `insert into strategy_versions (id, strategy_id, number, definition, definition_hash, committed_at) values ($1, $2, 1, '{}', 'h', now())`,
      [version, strategy],
    );
    await pool.query(
      `insert into brokers (id, slug, name, logo, description, broker_type, supported_assets, status, position) values ($1, $1::uuid::text, 'b', '', '', '', '{}', 'available', 1)`,
      [broker],
    );
    await pool.query(
      `insert into broker_connections (id, user_id, broker_id, status, expires_at) values ($1, $2, $3, 'active', now())`,
      [connection, user, broker],
    );
    await pool.query(
      `insert into deployments (id, user_id, strategy_id, strategy_version_id, broker_connection_id, status, investment_micro, return_base_micro, stop_loss_percentage,
       max_allocation_percent, freeze_on_drawdown_percent, cash_micro, equity_micro, peak_equity_micro, high_water_mark_micro, deployed_at)
     values ($1, $2, $3, $4, $5, 'active', 1, 1, 5, 5, 5, 1, 1, 1, 1, now())`,
      [id, user, strategy, version, connection],
    );
    return id!;
  }

  async function post(deploymentId: string, amounts: readonly [string, number][]): Promise<string> {
    const client = await pool.connect();
    const transaction = randomUUID();
    try {
      await client.query('begin');
      await client.query(
        `insert into ledger_transactions (id, deployment_id, kind, cause, at) values ($1, $2, 'opening', $1::uuid::text, now())`,
        [transaction, deploymentId],
      );
      for (const [account, amount] of amounts) {
        await client.query(
          `insert into ledger_entries (transaction_id, deployment_id, ledger_account, amount_micro) values ($1, $2, $3, $4)`,
          [transaction, deploymentId, account, amount],
        );
      }
      await client.query('commit');
    } catch (error) {
      await client.query('rollback');
      throw error;
    } finally {
      client.release();
    }
    return transaction;
  }

  test('a ledger transaction that does not sum to zero is refused at commit', async () => {
    const id = await deployment();
    await expect(
      post(id, [
        ['cash', 100],
        ['capital', -99],
      ]),
    ).rejects.toThrow(/does not sum to zero/);
    await expect(
      post(id, [
        ['cash', 100],
        ['capital', -100],
      ]),
    ).resolves.toBeTypeOf('string');
  });

  test('ledger rows can be neither changed nor removed', async () => {
    const id = await deployment();
    const transaction = await post(id, [
      ['cash', 100],
      ['capital', -100],
    ]);
    await expect(
      pool.query(`update ledger_entries set amount_micro = 1 where transaction_id = $1`, [transaction]),
    ).rejects.toThrow(/append-only/);
    await expect(
      pool.query(`delete from ledger_entries where transaction_id = $1`, [transaction]),
    ).rejects.toThrow(/append-only/);
  });
});

describe('a deployment', async () => {
  const handle = await testDatabase();
  const { pool } = handle;
  const world = await tradingWorld(handle);
  const id = await world.deploy(await world.addStrategy(BOTH_ABOVE_30));
  const other = await world.deploy(await world.addStrategy({ ...BOTH_ABOVE_30, name: 'Another' }));
  const move = () =>
    pool.query(
      `update deployments set broker_connection_id = (select broker_connection_id from deployments where id = $2)
     where id = $1`,
      [id, other],
    );

  test('a deployment with orders keeps its connection, through which its open orders are found', async () => {
    const { rows } = await pool.query(
      `select count(distinct broker_connection_id)::int as connections from deployments`,
    );
    expect(rows).toEqual([{ connections: 2 }]);
    await pool.query(
      `insert into orders (id, deployment_id, broker_connection_id, client_order_id, cause, purpose, attempt, symbol, side,
       quantity, limit_price, reference_price, status, decided_at)
     select gen_random_uuid(), id, broker_connection_id, 'BW1', 'c', 'rebalance', 1, 'AAA', 'buy', 1, 1, 1, 'intended', now() from deployments where id = $1`,
      [id],
    );
    await expect(move()).rejects.toMatchObject({ code: '23503' });
    await pool.query(`update deployments set broker_connection_id = broker_connection_id where id = $1`, [
      id,
    ]);
  });

  test('a deployment is never removed and keeps its id, even without orders: none is looked up under a lock', async () => {
    const { rows } = await pool.query(`select count(*)::int as orders from orders where deployment_id = $1`, [
      other,
    ]);
    expect(rows).toEqual([{ orders: 0 }]);
    const remove = pool.query(`delete from deployments where id = $1`, [other]);
    await expect(remove).rejects.toMatchObject({ code: '23503' });
    const rename = pool.query(`update deployments set id = gen_random_uuid() where id = $1`, [other]);
    await expect(rename).rejects.toMatchObject({ code: '23503' });
  });
});
