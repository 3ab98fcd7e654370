// `npm run catalogue`: creates or renews the catalogue (instruments, bars, brokers, strategies and their evidence). It needs
// the market feed, and asks no broker; `npm start` runs it at every start.
import { feePercentOf } from '#rules/fees/performance-fee.ts';
import { withCommandDatabase } from '../database/command-database.ts';
import { worldDatabase } from '../database/world-database.ts';
import { onStopSignal } from '../environment/stop-signals.ts';
import { seedCatalogue } from './seed-catalogue.ts';
import { openModels } from '../wiring/open-models.ts';
import { refuseOtherBrokers } from '../wiring/refuse-other-brokers.ts';
import type { World } from '../wiring/world.ts';
import { openLogger } from '../wiring/open-logger.ts';

export async function runCatalogue(world: World): Promise<void> {
  onStopSignal(async () => process.exit(1));

  try {
    const environment = world.runningEnvironment();
    const logger = openLogger(environment);
    const work = {
      vendors: environment.brokers.map(({ vendor }) => vendor),
      feePercent: feePercentOf(environment.installation),
      models: openModels(),
      deciders: await world.connectDeciders(environment),
      listings: world.listings,
      logger,
      say: (line: string) => process.stdout.write(`${line}\n`),
    };
    await withCommandDatabase(
      environment,
      async (handle) => {
        await refuseOtherBrokers(environment, handle);
        const { marketData } = await world.openMarketData(environment, handle, null);
        await seedCatalogue({ handle, marketData, ...work });
      },
      worldDatabase(environment),
    );
    process.exit(0);
  } catch (error) {
    const reason = error instanceof Error ? error.message : String(error);
    process.stderr.write(`the catalogue could not be made: ${reason}\n`);
    process.exit(1);
  }
}
