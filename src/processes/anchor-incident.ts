import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import type { Database } from '#records/postgres/database.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';

type Anchoring = Pick<TraderDependencies, 'logger' | 'realNow'> & { readonly database: Database };

/** What follows from each attempt to anchor the audit log. */
export function anchorIncident({ database, logger, realNow }: Anchoring) {
  const note = (noted: Promise<void>) =>
    // Without a database there is no place to note it.
    noted.catch((error: unknown) => logger.warn({ err: error }, 'an incident was not noted'));
  return {
    async onError(error: unknown) {
      logger.error({ err: error }, 'the audit log could not be anchored');
      const facts = { task: 'anchor', said: error instanceof Error ? error.message : String(error) };
      await note(openIncident(database, { ...UNANCHORED, facts }, realNow()));
    },
    onAnchored: () => note(endIncident(database, UNANCHORED, { how: 'cleared', at: realNow() })),
  };
}

const UNANCHORED = { kind: 'audit_unanchored', subject: 'audit-log' } as const;
