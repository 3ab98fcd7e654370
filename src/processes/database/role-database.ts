// The database of a role, which learns before its first statement whether it can run on this schema, and behind each new connection too
// whether the records went back to an earlier moment: no role acts on them before that is marked.
import { type DatabaseHandle, openDatabase } from '#records/postgres/database.ts';
import { refuseUnfitSchema } from '#records/postgres/schema-state.ts';
import { isElsewhere, markRestoration } from '#records/recovery/restorations.ts';
import { refuseHandedOn } from './refuse-handed-on.ts';
import { wallInstant } from '#units/wall-instant.ts';

/** Longer than any statement of a request or of trading, and than a commit waits for a new standby. */
export const ANSWER_WITHIN_MS = 20_000;

type RoleOptions = Omit<Parameters<typeof openDatabase>[1] & object, 'onConnect' | 'onIdleError'> & {
  readonly hasSynchronousStandby?: boolean;
};

export async function openRoleDatabase(
  url: string,
  { hasSynchronousStandby = false, ...options }: RoleOptions,
): Promise<DatabaseHandle> {
  await markAt(url, { isStart: true, hasSynchronousStandby });
  return openDatabase(url, {
    ...options,
    onIdleError: () => undefined,
    async onConnect(client) {
      if (await isElsewhere(client)) await markAt(url, { isStart: false, hasSynchronousStandby });
    },
  });
}

/** Over a connection of its own: in the role of the API it would not be allowed. */
async function markAt(
  url: string,
  { isStart, hasSynchronousStandby }: { readonly isStart: boolean; readonly hasSynchronousStandby: boolean },
): Promise<void> {
  const handle = openDatabase(url, {
    poolSize: 2,
    onIdleError: () => undefined,
    answerWithinMs: ANSWER_WITHIN_MS,
  });
  try {
    await refuseUnfitSchema(handle.database);
    if (isStart) await refuseHandedOn(handle.pool);
    await markRestoration(handle.database, wallInstant(Date.now()), { hasSynchronousStandby });
  } finally {
    await handle.close();
  }
}
