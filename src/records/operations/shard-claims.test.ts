import fc from 'fast-check';
import { expect, test } from 'vitest';
import { testDatabase } from '../../../tests/support/test-database.ts';
import {
  fairShare,
  type HeldShard,
  leaveTrading,
  lockShards,
  MARKET_SHARD,
  type Presence,
  releaseShards,
  renewShards,
  SHARDS,
  showPresence,
} from './trading-shards.ts';

const handle = await testDatabase();
const { database, pool } = handle;

/** Who holds what, as far as it follows from what everybody was told. */
type Model = {
  readonly holderOf: Map<number, string>;
  /** The highest fence ever given for a shard. */
  readonly fenceOf: Map<number, bigint>;
  /** What each trader was last told that it holds: what it may try to write under. */
  readonly knownTo: Map<string, readonly HeldShard[]>;
  /** Traders that the others may still count with, and those whose leases have run out. */
  readonly alive: Set<string>;
  readonly runOut: Set<string>;
  /** Those with a connection that says they live. */
  readonly present: Set<string>;
};
type Real = { readonly presences: Map<string, Presence> };
type Command = fc.AsyncCommand<Model, Real>;

const NAMES = [1, 2, 3].map((n) => `00000000-0000-4000-8000-00000000000${n}`);
const LEASE_MS = 600_000;

/** What the database says must be what follows from what was told. */
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
    // What it had it keeps, more than its share it does not take, and only what is nobody's can be taken.
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

/** It is stopped for longer than its lease, by the database's clock. It still thinks that it holds what it was told. */
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

/** Its connection is gone: nobody waits for the lease. */
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

/** It writes under what it was last told, however long ago: only what nobody has taken since is locked for it. */
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

test('through any claims, sleeps, deaths and returns a shard has one holder, its fence only grows, and only its last holder writes', {
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
