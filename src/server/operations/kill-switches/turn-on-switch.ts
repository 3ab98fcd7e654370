import { actAs } from '#records/operations/audit-log.ts';
import type { Database } from '#records/postgres/database.ts';
import {
  findKillSwitch,
  findKillSwitchTarget,
  findLifted,
  type KillSwitch,
  type LiftedKillSwitch,
  setKillSwitch,
} from '#records/operations/kill-switches.ts';
import type { KillSwitchScope } from '#rules/operations/kill-switch.ts';

type Wanted = {
  readonly id: string;
  readonly scope: KillSwitchScope;
  /** The scope as requested; null for all clients. */
  readonly name: string | null;
  readonly cancelsWorking: boolean;
  readonly because: string;
  /** The e-mail of a support account. */
  readonly by: string;
};

type TurnedOn =
  | { readonly outcome: 'on'; readonly killSwitch: KillSwitch }
  /** The colleague's switch that is on. */
  | { readonly outcome: 'on already'; readonly killSwitch: KillSwitch }
  /** This same request was executed before, and a colleague has lifted the switch since. */
  | { readonly outcome: 'lifted since'; readonly lifted: LiftedKillSwitch }
  | { readonly outcome: 'no such target' };

/** When this returns, the switch is on and every sender sees it. Of two concurrent requests, one gets the other's switch. */
export async function turnOnSwitch(database: Database, wanted: Wanted): Promise<TurnedOn> {
  const { scope, name } = wanted;
  const found = scope === 'global' ? null : await findKillSwitchTarget(database, scope, name ?? '');
  if (found === undefined) return { outcome: 'no such target' };
  for (let attempt = 0; attempt < ATTEMPTS_MAX; attempt++) {
    const outcome = await database.transaction().execute(async (trx) => {
      await actAs(trx, `staff:${wanted.by}`);
      const { id, cancelsWorking, because, by: setBy } = wanted;
      return setKillSwitch(trx, { id, scope, target: found, cancelsWorking, because, setBy });
    });
    const killSwitch = await findKillSwitch(database, { scope, target: found });
    if (killSwitch !== undefined)
      return { outcome: outcome === 'set' || killSwitch.id === wanted.id ? 'on' : 'on already', killSwitch };
    const lifted = await findLifted(database, wanted.id);
    if (lifted !== undefined) return { outcome: 'lifted since', lifted };
    // The conflicting switch was lifted between the two reads: none is on, and this one is requested.
  }
  throw new Error('a kill switch could not be set: it kept changing');
}

const ATTEMPTS_MAX = 10;
