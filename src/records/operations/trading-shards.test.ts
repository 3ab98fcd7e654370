import { randomUUID } from 'node:crypto';
import fc from 'fast-check';
import { describe, expect, test } from 'vitest';
import { testDatabase } from '#tests/support/test-database.ts';
import type { BrokerConnectionId } from '#units/identifiers.ts';
import {
  type Claimant,
  fairShare,
  type HeldShard,
  leaveTrading,
  lockShards,
  MARKET_SHARD,
  type Presence,
  releaseShards,
  renewShards,
  shardOf,
  SHARDS,
  showPresence,
} from './trading-shards.ts';

const handle = await testDatabase();
const { database, pool } = handle;
const claimant = async (leaseMs = 60_000) => {
  const presence = await showPresence(pool);
  return { id: randomUUID(), lockKey: presence.lockKey, leaseMs, presence };
};
const shardsOf = ({ held }: { held: readonly HeldShard[] }) => held.map(({ shard }) => shard);

test('the shard of a connection is the same in code and in the database', async () => {
  const ids = Array.from({ length: 200 }, () => randomUUID() as string as BrokerConnectionId);
  const { rows } = await pool.query('select shard_of(id) as shard from unnest($1::uuid[]) as c (id)', [ids]);
  expect(rows.map(({ shard }) => shard)).toEqual(ids.map(shardOf));
});

test('one takes all at once; a second gets its half as soon as it is released, and all when the first dies', async () => {
  const [first, second] = [await claimant(), await claimant()];
  expect(shardsOf(await renewShards(database, first))).toHaveLength(SHARDS + 1);
  expect(shardsOf(await renewShards(database, second))).toHaveLength(0);
  const { held, traders } = await renewShards(database, first);
  expect(traders).toBe(2);
  const surplus = shardsOf({ held }).slice(0, SHARDS - fairShare(traders));
  await releaseShards(database, { id: first.id, shards: surplus });
  expect(shardsOf(await renewShards(database, second))).toHaveLength(SHARDS / 2);
  // Its connection is gone, as after a kill: the lease ends at once.
  await first.presence.end();
  await expect
    .poll(async () => shardsOf(await renewShards(database, second)).length, { timeout: 10_000 })
    .toBe(SHARDS + 1);
  await leaveTrading(database, second.id);
  await second.presence.end();
});

test('a transaction under the fence is not overtaken, and one under an old fence locks nothing', async () => {
  const [first, second] = [await claimant(1), await claimant()];
  const { held } = await renewShards(database, first);
  await new Promise((resolve) => setTimeout(resolve, 20));
  const one = held.find(({ shard }) => shard === 7)!;
  await database.transaction().execute(async (trx) => {
    expect((await lockShards(trx, [one])).has(7)).toBe(true);
    const taken = shardsOf(await renewShards(database, second));
    expect(taken).toHaveLength(SHARDS);
    expect(taken).not.toContain(7);
  });
  expect(shardsOf(await renewShards(database, second))).toContain(7);
  const locked = await database.transaction().execute((trx) => lockShards(trx, held));
  expect(locked.size).toBe(0);
  await leaveTrading(database, second.id);
  await Promise.all([first.presence.end(), second.presence.end()]);
});

test('in 10,000 racing claims no fence is given twice and the holder of a fence is the only holder', async () => {
  const given = new Set<string>();
  let claims = 0;
  let sections = 0;
  const race = async (racer: Claimant) => {
    let known = new Map<number, string>();
    while (claims < 10_000) {
      const { held } = await renewShards(database, racer);
      for (const { shard, fence } of held) {
        if (known.get(shard) === fence) continue;
        expect(given.has(`${shard} ${fence}`)).toBe(false);
        given.add(`${shard} ${fence}`);
        claims += 1;
      }
      known = new Map(held.map(({ shard, fence }) => [shard, fence]));
      await database.transaction().execute(async (trx) => {
        const locked = await lockShards(trx, held.slice(0, 3));
        const rows = await trx
          .selectFrom('trading_shards' as never)
          .select(['shard', 'fence', 'holder'] as never[])
          .execute();
        for (const row of rows as unknown as { shard: number; fence: string; holder: string }[]) {
          if (!locked.has(row.shard)) continue;
          sections += 1;
          expect(row).toMatchObject({ fence: known.get(row.shard), holder: racer.id });
        }
      });
    }
  };
  const racers = await Promise.all(Array.from({ length: 4 }, () => claimant(1)));
  await Promise.all(racers.map(race));
  expect(given.size).toBe(claims);
  expect(sections).toBeGreaterThan(100);
  await Promise.all(racers.map(({ presence }) => presence.end()));
});

describe('any sequence of claims', async () => {
  const handle = await testDatabase();
  const { database, pool } = handle;

  /** Who holds what, as far as the claims' answers tell. */
  type Model = {
    readonly holderOf: Map<number, string>;
    /** The highest fence ever given for a shard. */
    readonly fenceOf: Map<number, bigint>;
    /** What each trader was last granted: what it may try to write under. */
    readonly knownTo: Map<string, readonly HeldShard[]>;
    /** Traders that still count as alive, and those whose leases have expired. */
    readonly alive: Set<string>;
    readonly runOut: Set<string>;
    /** Traders with a live connection. */
    readonly present: Set<string>;
  };
  type Real = { readonly presences: Map<string, Presence> };
  type Command = fc.AsyncCommand<Model, Real>;

  const NAMES = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
  const LEASE_MS = 600_000;

  /** The database must agree with what follows from the answers. */
  async function agree(model: Model): Promise<void> {
    const { rows } = await pool.query(`select shard, holder, fence::text from trading_shards order by shard`);
    for (const { shard, holder, fence } of rows) {
      expect({ shard, holder }).toEqual({ shard, holder: model.holderOf.get(shard) ?? null });
      expect(BigInt(fence)).toBe(model.fenceOf.get(shard) ?? BigInt(fence));
    }
  }

  class Renews implements Command {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    check = () => true;
    async run(model: Model, real: Real): Promise<void> {
      const { name } = this;
      const presence = real.presences.get(name) ?? (await showPresence(pool));
      real.presences.set(name, presence);
      const { held, traders } = await renewShards(database, {
        id: name,
        lockKey: presence.lockKey,
        leaseMs: LEASE_MS,
      });
      for (const gone of model.runOut) if (gone !== name) model.alive.delete(gone);
      model.alive.add(name);
      model.runOut.delete(name);
      model.present.add(name);
      expect(traders).toBe(model.alive.size);
      const before = new Set(
        [...model.holderOf].filter(([, holder]) => holder === name).map(([shard]) => shard),
      );
      const now = new Set(held.map(({ shard }) => shard));
      // It keeps what it had, takes no more than its share, and takes only free shards.
      for (const shard of before) expect(now.has(shard)).toBe(true);
      const most = Math.max(fairShare(traders), [...before].filter((shard) => shard !== MARKET_SHARD).length);
      expect([...now].filter((shard) => shard !== MARKET_SHARD).length).toBeLessThanOrEqual(most);
      for (const { shard, fence } of held) {
        if (before.has(shard)) {
          expect(BigInt(fence)).toBe(model.fenceOf.get(shard));
          continue;
        }
        const owner = model.holderOf.get(shard);
        expect(owner === undefined || !model.alive.has(owner)).toBe(true);
        expect(BigInt(fence)).toBeGreaterThan(model.fenceOf.get(shard) ?? -1n);
        model.holderOf.set(shard, name);
        model.fenceOf.set(shard, BigInt(fence));
      }
      model.knownTo.set(name, held);
      await agree(model);
    }
    toString = () => `${this.name.at(-1)} renews`;
  }

  /** Paused for longer than its lease, by the database's clock. It still believes that it holds what it was granted. */
  class Sleeps implements Command {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    check = (model: Readonly<Model>) => model.alive.has(this.name);
    async run(model: Model): Promise<void> {
      const past = `clock_timestamp() - interval '1 second'`;
      await pool.query(`update trading_shards set expires_at = ${past} where holder = $1`, [this.name]);
      await pool.query(`update traders set expires_at = ${past} where id = $1`, [this.name]);
      model.runOut.add(this.name);
    }
    toString = () => `${this.name.at(-1)} sleeps`;
  }

  /** Its connection is gone: the lease ends at once. */
  class Dies implements Command {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    check = (model: Readonly<Model>) => model.alive.has(this.name) && model.present.has(this.name);
    async run(model: Model, real: Real): Promise<void> {
      const presence = real.presences.get(this.name)!;
      await presence.end();
      real.presences.delete(this.name);
      model.present.delete(this.name);
      const isFree = async () =>
        (
          await pool.query(`select pg_try_advisory_lock($1) as free, pg_advisory_unlock($1)`, [
            presence.lockKey,
          ])
        ).rows[0].free;
      await expect.poll(isFree).toBe(true);
      model.runOut.add(this.name);
    }
    toString = () => `${this.name.at(-1)} dies`;
  }

  class Releases implements Command {
    readonly name: string;
    readonly count: number;
    constructor(name: string, count: number) {
      this.name = name;
      this.count = count;
    }
    check = () => true;
    async run(model: Model): Promise<void> {
      const shards = (model.knownTo.get(this.name) ?? []).slice(0, this.count).map(({ shard }) => shard);
      await releaseShards(database, { id: this.name, shards });
      for (const shard of shards) if (model.holderOf.get(shard) === this.name) model.holderOf.delete(shard);
      await agree(model);
    }
    toString = () => `${this.name.at(-1)} releases ${this.count}`;
  }

  class Leaves implements Command {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    check = () => true;
    async run(model: Model): Promise<void> {
      await leaveTrading(database, this.name);
      for (const [shard, holder] of model.holderOf) if (holder === this.name) model.holderOf.delete(shard);
      model.alive.delete(this.name);
      model.runOut.delete(this.name);
      await agree(model);
    }
    toString = () => `${this.name.at(-1)} leaves`;
  }

  /** Writes under its last grant, however old: only shards that no one has taken since are locked for it. */
  class Writes implements Command {
    readonly name: string;
    constructor(name: string) {
      this.name = name;
    }
    check = (model: Readonly<Model>) => model.knownTo.has(this.name);
    async run(model: Model): Promise<void> {
      const known = model.knownTo.get(this.name)!;
      const locked = await database.transaction().execute((trx) => lockShards(trx, known));
      const own = known.filter(({ shard, fence }) => model.fenceOf.get(shard) === BigInt(fence));
      expect(locked).toEqual(new Set(own.map(({ shard }) => shard)));
      for (const shard of locked) expect([undefined, this.name]).toContain(model.holderOf.get(shard));
    }
    toString = () => `${this.name.at(-1)} writes`;
  }

  test('through any claims, sleeps, deaths and returns a shard has one holder, its fence only grows, and only the last holder writes', {
    timeout: 60_000,
  }, async () => {
    const name = fc.constantFrom(...NAMES);
    const commands = fc.commands(
      [
        name.map((one) => new Renews(one)),
        name.map((one) => new Renews(one)),
        name.map((one) => new Sleeps(one)),
        name.map((one) => new Dies(one)),
        fc.tuple(name, fc.integer({ min: 1, max: SHARDS })).map(([one, count]) => new Releases(one, count)),
        name.map((one) => new Leaves(one)),
        name.map((one) => new Writes(one)),
      ],
      { maxCommands: 40 },
    );
    await fc.assert(
      fc.asyncProperty(commands, async (all) => {
        await pool.query(`delete from traders`);
        await pool.query(`update trading_shards set holder = null`);
        const presences = new Map<string, Presence>();
        const model: Model = {
          holderOf: new Map(),
          fenceOf: new Map(),
          knownTo: new Map(),
          alive: new Set(),
          runOut: new Set(),
          present: new Set(),
        };
        try {
          await fc.asyncModelRun(() => ({ model, real: { presences } }), all);
        } finally {
          for (const presence of presences.values()) await presence.end();
        }
      }),
      { numRuns: 40 },
    );
  });
});
