// The product's API on a stage of the load, with people signed in whose screens somebody keeps open. STAGE names the file of its stage.
import { randomUUID } from 'node:crypto';
import { readFileSync } from 'node:fs';
import type { AddressInfo } from 'node:net';
import { sandboxFeed } from '#adapters/market-data/sandbox/sandbox-feed.ts';
import { openDatabase } from '#records/postgres/database.ts';
import { issueAccessToken } from '#server/identity/session/access-token.ts';
import type { UserId } from '#units/identifiers.ts';
import { instant } from '#units/instant.ts';
import { benchApp } from '../bench-app.ts';
import { benchKeys } from '../bench-keys.ts';
import type { StageFile } from './stage.ts';

/** Sent first when it serves, and again with new tokens. */
export type ApiReady = { readonly port: number; readonly screens: readonly Screen[] };

/** Somebody who looks at a deployment. */
export type Screen = { readonly token: string; readonly deployment: string };

const STREAMS_EACH = 6;
/** Sooner than an access token expires, as the web app does it. */
const RENEWED_EVERY_MS = 480_000;
const stage = JSON.parse(readFileSync(process.env.STAGE!, 'utf8')) as StageFile;
const owned = openDatabase(stage.databaseUrl, { poolSize: 1 });
const records = openDatabase(stage.databaseUrl, { poolSize: 8, asApi: true });
const keys = await benchKeys(owned.database);
const app = await benchApp({ records, keys, marketData: sandboxFeed(stage.address) });
await app.listen({ host: '127.0.0.1', port: 0 });
const { port } = app.server.address() as AddressInfo;
const signedIn = await signIn();
await tellScreens();
const renewing = setInterval(() => void tellScreens(), RENEWED_EVERY_MS);
process.once('message', () => void stop());

async function tellScreens(): Promise<void> {
  const screens: Screen[] = [];
  for (const { deployment, ...caller } of signedIn) {
    const token = await issueAccessToken(caller, keys.newest('access_token'), instant(Date.now()));
    screens.push({ token, deployment });
  }
  const ready: ApiReady = { port, screens };
  process.send!(ready);
}

type SignedIn = { readonly userId: UserId; readonly sessionId: string; readonly deployment: string };

/** A person has at most six streams. */
async function signIn(): Promise<SignedIn[]> {
  const { rows } = await owned.pool.query<{ user_id: UserId; deployment: string }>(
    `select user_id, min(id::text) as deployment from deployments group by user_id order by user_id limit $1`,
    [stage.screens],
  );
  const screens: SignedIn[] = [];
  for (let n = 0; screens.length < Math.min(stage.screens, rows.length * STREAMS_EACH); n++) {
    const { user_id: userId, deployment } = rows[n % rows.length]!;
    const sessionId = randomUUID();
    await owned.pool.query(
      `insert into sessions (id, user_id, remember, expires_at) values ($1, $2, false, now() + interval '1 day')`,
      [sessionId, userId],
    );
    screens.push({ userId, sessionId, deployment });
  }
  return screens;
}

async function stop(): Promise<void> {
  clearInterval(renewing);
  await app.close();
  await records.close();
  await owned.close();
  process.disconnect();
}
