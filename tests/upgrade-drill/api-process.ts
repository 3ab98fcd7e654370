// The API of a version on the drill's world, without what is outside of it. It is copied into the folder of the release before, whose
// modules it then imports. DATABASE_URL, ROOT_KEY and MARKET_FEED_URL name what it shares with the others.
import type { AddressInfo } from 'node:net';
import { keyFile } from '#adapters/key-management/key-file/key-file.ts';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { openRoleDatabase } from '#processes/database/role-database.ts';
import { openKeyring } from '#records/keys/keyring.ts';
import { asEverybody } from '#records/postgres/row-scope.ts';
import { benchApp } from '../../bench/bench-app.ts';

const records = await openRoleDatabase(process.env.DATABASE_URL!, { poolSize: 8, asApi: true });
const keys = await asEverybody(() =>
  openKeyring({ database: records.database, management: keyFile(process.env.ROOT_KEY!) }),
);
const app = await benchApp({ records, keys, marketData: sandboxFeed(process.env.MARKET_FEED_URL!) });
await app.listen({ host: '127.0.0.1', port: 0 });
process.stdout.write(`serving on ${(app.server.address() as AddressInfo).port}\n`);
process.once('SIGTERM', () => {
  void app
    .close()
    .then(() => records.close())
    .then(() => process.exit(0));
});
