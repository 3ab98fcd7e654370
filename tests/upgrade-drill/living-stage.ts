// Runs inside the release before: its own database, market, brokerage and people, on which traders and APIs of either version work.
// It is copied into the folder of that release, whose modules it then imports.
import { openStage } from '../kill-campaign/stage.ts';

const stage = await openStage();
process.send!({ ownerUrl: stage.ownerUrl, databaseUrl: stage.databaseUrl });
process.once('disconnect', () => void stage.close().then(() => process.exit(0)));
