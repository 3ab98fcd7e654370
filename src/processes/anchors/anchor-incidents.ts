import { endIncident, openIncident } from '#records/incidents/incidents.ts';
import type { Database } from '#records/postgres/database.ts';
import type { TraderDependencies } from '#trader/dependencies.ts';
import type { Anchoring } from './keep-anchors.ts';
import type { Sending } from './send-anchors.ts';

type Noting = Pick<TraderDependencies, 'logger' | 'realNow'> & { readonly database: Database };

/** What follows from each attempt to anchor the audit log, and to send its anchors away. */
export function anchorIncidents({ database, logger, realNow }: Noting): {
  readonly anchoring: Anchoring['outcome'];
  readonly sending: Sending['outcome'];
} {
  const note = (noted: Promise<void>) =>
    // Without a database there is no place to note it.
    noted.catch((error: unknown) => logger.warn({ err: error }, 'an incident was not noted'));
  const begin = (incident: typeof UNANCHORED | typeof UNSENT | typeof REWRITTEN, error: unknown) => {
    const facts = { task: 'anchor', said: error instanceof Error ? error.message : String(error) };
    return note(openIncident(database, { ...incident, facts }, realNow()));
  };
  const end = (incident: typeof UNANCHORED | typeof UNSENT | typeof REWRITTEN) =>
    note(endIncident(database, incident, { how: 'cleared', at: realNow() }));
  return {
    anchoring: {
      async onError(error) {
        logger.error({ err: error }, 'the audit log could not be anchored');
        await begin(UNANCHORED, error);
      },
      async onRewritten(error) {
        logger.error({ err: error }, 'the audit log is not what was anchored');
        await begin(REWRITTEN, error);
      },
      async onAnchored() {
        await end(UNANCHORED);
        await end(REWRITTEN);
      },
    },
    sending: {
      async onError(error) {
        logger.error({ err: error }, 'anchors could not be sent away');
        await begin(UNSENT, error);
      },
      onSent: () => end(UNSENT),
    },
  };
}

const UNANCHORED = { kind: 'audit_unanchored', subject: 'audit-log' } as const;
const UNSENT = { kind: 'audit_unsent', subject: 'audit-log' } as const;
const REWRITTEN = { kind: 'audit_rewritten', subject: 'audit-log' } as const;
