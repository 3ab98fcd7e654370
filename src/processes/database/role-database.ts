// The database of a role, which learns before its first statement whether it can run on this schema, and behind each new connection too
// whether the records went back to an earlier moment: no role acts on them before that is marked.
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { refuseUnfitSchema } from '#records/postgres/schema-state.ts';
import { isElsewhere, markRestoration } from '#records/recovery/restorations.ts';
import { wallInstant } from '#units/wall-instant.ts';

export async function openRoleDatabase(
  url: string,
  options: Omit<Parameters<typeof openDatabase>[1] & object, 'onConnect' | 'onIdleError'>,
): Promise<DatabaseHandle> {
  await markAt(url);
  return openDatabase(url, {
    ...options,
    onIdleError: () => undefined,
    async onConnect(client) {
      if (await isElsewhere(client)) await markAt(url);
    },
  });
}

/** Over a connection of its own: in the role of the API it would not be allowed. */
async function markAt(url: string): Promise<void> {
  const handle = openDatabase(url, { poolSize: 1, onIdleError: () => undefined });
  try {
    await refuseUnfitSchema(handle.database);
    await markRestoration(handle.database, wallInstant(Date.now()));
  } finally {
    await handle.close();
  }
}
