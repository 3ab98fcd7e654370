// The product and the second stand-in side by side, over a market that only the test moves.
import { mkdtempSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import path from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { ask } from '#tests/support/both-books.ts';
import { freePort, type ProductHome, productHome } from '#tests/support/product.ts';
import { type SandboxClock, sandboxClock } from '#tests/support/sandbox-clock.ts';
import { registerConsumer } from './consumer-keys.ts';
import type { Habits } from './stand-in/habits.ts';
import { marketWorld } from './stand-in/market-world.ts';
import { SecondBroker } from './stand-in/second-broker.ts';
import { FIRST_DAY, writeTape } from './tape.ts';

export type Stage = {
  readonly broker: SecondBroker;
  readonly home: ProductHome;
  /** Everything that an operator sets, as the documents name it. */
  readonly settings: Readonly<Record<string, string>>;
  readonly clock: SandboxClock;
  databaseUrl(): string;
  rows(query: string): Promise<Record<string, unknown>[]>;
  /** Moves the market, then the broker, and waits until the trader has worked twice at the new time. */
  goTo(at: string): Promise<void>;
  settled(): Promise<void>;
  close(): Promise<void>;
};

type StageSettings = {
  readonly seed: number;
  readonly people: Readonly<Record<string, string>>;
  readonly habits?: Partial<Habits>;
};

export async function openStage({ seed, people, habits }: StageSettings): Promise<Stage> {
  const folder = mkdtempSync(path.join(tmpdir(), 'second-broker-'));
  const { consumer, variables } = registerConsumer(folder);
  const sandboxPort = await freePort();
  const world = marketWorld(`http://127.0.0.1:${sandboxPort}`);
  const broker = new SecondBroker({ world, consumer, seed, people, habits });
  const address = await broker.listen();
  const home = await homeWithTape();
  const clock = sandboxClock(home.dataDir);
  const databaseUrl = () =>
    home.databaseUrl().replace(/bellwether$/, `bellwether_replay_${FIRST_DAY.replaceAll('-', '')}`);
  const rows = (query: string) => ask(databaseUrl(), query);

  /** Two beats at the market's time; those during a pause after the broker failed do not count. */
  const settled = async () => {
    const now = Date.parse(await clock.now());
    const beats = new Set<number>();
    for (let looks = 0; beats.size < 2; looks++) {
      if (looks > 2_000) throw new Error('the trader does not follow the clock');
      const [beat] = await rows(
        `select beat_at, market_at, (select bool_and(state = 'connected') from broker_sessions) as connected
         from heartbeats where process = 'trader'`,
      );
      const [beatAt, marketAt] = [beat?.['beat_at'], beat?.['market_at']];
      const isOfNow = marketAt instanceof Date && marketAt.getTime() >= now;
      if (beat?.['connected'] === false) beats.clear();
      else if (isOfNow && beatAt instanceof Date) beats.add(beatAt.getTime());
      await sleep(25);
    }
  };

  return {
    broker,
    home,
    settings: {
      ...variables,
      ...REPLAY,
      SANDBOX_PORT: String(sandboxPort),
      BROKER: 'interactive-brokers',
      BROKER_CLOCK: 'market',
      BROKER_BASE_URL: `${address}/v1/api`,
      BROKER_AUTHORIZE_URL: `${address}/sso/authorize`,
      BROKER_REQUESTS_PER_SECOND: '50',
      BROKER_LIST_SPACING_MS: '100',
    },
    clock,
    databaseUrl,
    rows,
    settled,
    async goTo(at) {
      await clock.advanceTo(at);
      await broker.catchUp();
      await settled();
    },
    async close() {
      await home.remove();
      await broker.close();
      rmSync(folder, { recursive: true, force: true });
    },
  };
}

/** A place to run the product in, with the bars of the tape imported. */
export async function homeWithTape(): Promise<ProductHome> {
  const home = await productHome();
  const tape = path.join(home.dataDir, 'bars');
  writeTape(tape);
  const imported = await home.run('bars', ['import', tape, '--kind', 'equity']);
  if (imported.code !== 0) throw new Error(imported.output);
  return home;
}

/** In effect the test alone moves the clock. */
export const REPLAY = { MARKET: 'replay', REPLAY_FROM: FIRST_DAY, SANDBOX_DAY_SECONDS: '86400' } as const;
