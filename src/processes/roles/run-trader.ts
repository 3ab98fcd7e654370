// The role that trades: any number run, and share the work.
import { TRANSACTION_PATIENCE_MS } from '#records/operations/trading-shards.ts';
import { createTrader } from '#trader/trader.ts';
import { openAnchors } from '../anchors/open-anchors.ts';
import { ANSWER_WITHIN_MS, openRoleDatabase } from '../database/role-database.ts';
import { readEnvironment } from '../environment/environment.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { wireTrader } from '../wiring/wire-trader.ts';
import type { World } from '../wiring/world.ts';

export async function runTrader(world: World): Promise<void> {
  const environment = readEnvironment(process.env, world.name);
  if (environment.databaseUrl === null)
    throw new Error('DATABASE_URL is needed when a role runs alone; `npm start` runs everything');
  const handle = await openRoleDatabase(environment.databaseUrl, {
    patienceMs: TRANSACTION_PATIENCE_MS,
    hasSynchronousStandby: environment.hasSynchronousStandby,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  const dependencies = await wireTrader(environment, handle, world);
  const anchors = await openAnchors(environment, {
    ...dependencies,
    database: handle.database,
    connectMail: () => world.connectMail(environment, handle.database),
  });
  const stopping = new AbortController();
  const running = createTrader(dependencies).run(stopping.signal);
  onStopSignal(async () => {
    stopping.abort();
    await running;
    await anchors.stop();
    await dependencies.tracing?.stop();
    await handle.close();
  });
  process.stdout.write('trader serving\n');
  await running;
}
