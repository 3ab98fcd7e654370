// The role that answers browsers: the HTTP API and the built web app. Any number may run.
import { asEverybody } from '#records/postgres/row-scope.ts';
import { createApp } from '#server/app.ts';
import { ANSWER_WITHIN_MS, openRoleDatabase } from '../database/role-database.ts';
import { readEnvironment } from '../environment/environment.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { wireServer } from '../wiring/wire-server.ts';
import type { World } from '../wiring/world.ts';

export async function runApi(world: World): Promise<void> {
  const environment = readEnvironment(process.env, world.name);
  if (environment.databaseUrl === null)
    throw new Error('DATABASE_URL is needed when a role runs alone; `npm start` runs everything');
  const handle = await openRoleDatabase(environment.databaseUrl, {
    poolSize: 16,
    asApi: true,
    hasSynchronousStandby: environment.hasSynchronousStandby,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  // What is looked up at the start concerns everybody's rows.
  const dependencies = await asEverybody(() => wireServer(environment, handle, world));
  const app = await createApp(dependencies);
  onStopSignal(async () => {
    await app.close();
    await dependencies.brokerQuestions.close();
    await dependencies.tracing?.stop();
    await handle.close();
  });
  await app.listen({ port: environment.port, host: environment.host });
  process.stdout.write(`api serving on port ${environment.port}\n`);
}
