// What happens to hosts: each fault strikes, holds for a while and is healed. One at a time, or one that comes of another.
import { setTimeout as sleep } from 'node:timers/promises';
import type { Chance } from '../simulation/chance.ts';
import type { Cluster } from './cluster.ts';
import type { Host } from './hosts.ts';

export type Fault = {
  /** As the table of the campaign calls it. */
  readonly name: string;
  /** Null when it cannot be struck now. */
  strike(cluster: Cluster, chance: Chance): Promise<void | null>;
};

/** Shorter and longer than a lease of trading, and than the database's own. */
const HOLD_MS = [2_000, 8_000, 20_000, 35_000];

type Pick = (cluster: Cluster, chance: Chance) => Promise<Host | null>;

const primary: Pick = async ({ databases }) => databases.primary();
const synchronous: Pick = async ({ databases }) => databases.synchronous();
const aTrader: Pick = async ({ traders }, chance) => chance.pick(traders);
const anApi: Pick = async ({ apis }, chance) => chance.pick(apis);
const aDatabase: Pick = async ({ databases }, chance) => chance.pick(databases.hosts);
const anyOne: Pick = async ({ databases, apis, traders, workers }, chance) =>
  chance.pick([...databases.hosts, ...apis, ...traders, ...workers]);

export const FAULTS: readonly Fault[] = [
  killed('The primary is killed', primary, '/postgres'),
  killed('The synchronous standby is killed', synchronous, '/postgres'),
  killed('A trader is killed', aTrader),
  killed('An API is killed', anApi),
  killed('A worker is killed', async ({ workers }, chance) => chance.pick(workers)),
  killed('HAProxy is killed', async ({ proxy }) => proxy, 'haproxy'),
  killed('PgBouncer is killed', async ({ proxy }) => proxy, 'pgbouncer'),
  killed('A member of etcd is killed', aDatabase, 'etcd'),
  held('The host of the primary is frozen', primary, {
    begin: (host) => void host.signal('SIGSTOP'),
    end: (host) => void host.signal('SIGCONT'),
  }),
  held('A trader is frozen', aTrader, {
    begin: (host) => void host.signal('SIGSTOP'),
    end: (host) => void host.signal('SIGCONT'),
  }),
  held('The host of the primary is cut off', primary, {
    begin: (host) => host.cutOff(),
    end: (host) => host.heal(),
  }),
  held('The host of a standby is cut off', synchronous, {
    begin: (host) => host.cutOff(),
    end: (host) => host.heal(),
  }),
  held('The host of a trader is cut off', aTrader, {
    begin: (host) => host.cutOff(),
    end: (host) => host.heal(),
  }),
  held('The host of an API is cut off', anApi, {
    begin: (host) => host.cutOff(),
    end: (host) => host.heal(),
  }),
  held('A tenth of a host’s packets is lost', anyOne, {
    begin: (host) => host.lose(0.1),
    end: (host) => host.lose(0),
  }),
  held('A host’s packets take 40 ms longer', anyOne, {
    begin: (host) => host.slowDown(40),
    end: (host) => host.heal(),
  }),
  {
    name: 'Half of a partition between two databases is healed before the other half',
    async strike({ databases }, chance) {
      const one = await databases.primary();
      const other = chance.pick(databases.hosts.filter((host) => host !== one));
      if (one === null) return null;
      one.deafenTo(other);
      other.deafenTo(one);
      await sleep(chance.pick(HOLD_MS));
      one.hearAgain(other);
      await sleep(chance.pick(HOLD_MS));
      return other.hearAgain(one);
    },
  },
  {
    name: 'A standby whose clock is a minute ahead is promoted',
    async strike({ databases }, chance) {
      const [ahead, lost] = [await databases.synchronous(), await databases.primary()];
      if (ahead === null || lost === null) return null;
      ahead.setClock(60);
      await sleep(2_000);
      lost.signal('SIGKILL', '/postgres');
      await sleep(chance.pick(HOLD_MS));
      ahead.setClock(0);
    },
  },
  held('The clock of a trader is a minute behind', aTrader, {
    begin: (host) => host.setClock(-60),
    end: (host) => host.setClock(0),
  }),
  held('The clock of the primary jumps ahead by half a minute', primary, {
    begin: (host) => host.setClock(30),
    end: (host) => host.setClock(0),
  }),
];

/** What is killed is started again by its host after a second. */
function killed(name: string, pick: Pick, word = 'main.ts'): Fault {
  return {
    name,
    async strike(cluster, chance) {
      const host = await pick(cluster, chance);
      return host === null || host.signal('SIGKILL', word) === 0 ? null : undefined;
    },
  };
}

function held(
  name: string,
  pick: Pick,
  { begin, end }: Record<'begin' | 'end', (host: Host) => void>,
): Fault {
  return {
    name,
    async strike(cluster, chance) {
      const host = await pick(cluster, chance);
      if (host === null) return null;
      begin(host);
      await sleep(chance.pick(HOLD_MS));
      return end(host);
    },
  };
}
