import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { endClientSessions } from './clients/end-client-sessions.ts';
import { findClients } from './clients/find-clients.ts';
import { getClient } from './clients/get-client.ts';
import { noteClient } from './clients/note-client.ts';
import { listAuditLog } from './audit-log/list-audit-log.ts';
import { decideDeadLetter } from './decide-dead-letter.ts';
import { decideAdjustment } from './adjustments/decide-adjustment.ts';
import { lookAgain, noteIncident } from './incidents/note-incident.ts';
import { declineLiquidation } from './liquidation/decline-liquidation.ts';
import { listClientPayments } from './payments/list-client-payments.ts';
import { decideProposal } from './proposals/decide-proposal.ts';
import { getCatalogueStrategy } from './proposals/get-catalogue-strategy.ts';
import { listCatalogue } from './proposals/list-catalogue.ts';
import { setCapacityLimit } from './proposals/set-capacity-limit.ts';
import { importClaim, withdrawClaim } from './proposals/import-claim.ts';
import { writeNextVersion } from './proposals/write-next-version.ts';
import { listProposals, propose } from './proposals/propose.ts';
import { retryStop } from './incidents/retry-stop.ts';
import { getAdjustmentChoices } from './adjustments/get-adjustment-choices.ts';
import { makeGetDocs } from './docs/get-docs.ts';
import { makeGetRunbook } from './docs/get-runbook.ts';
import { getHealth } from './get-health.ts';
import { makeGetMetrics } from './get-metrics.ts';
import { getOperationsDesk } from './get-operations-desk.ts';
import { getReadiness } from './get-readiness.ts';
import { proposeAdjustment } from './adjustments/propose-adjustment.ts';
import type { Metrics } from './metrics.ts';
import { setKillSwitch } from './kill-switches/set-kill-switch.ts';
import { getTradingHalt, haltTrading, liftTradingHalt } from './kill-switches/trading-halt.ts';

export function operationsCalls(metrics: Metrics): RoomCalls<typeof operationsEndpoints> {
  return {
    getHealth,
    getReadiness,
    getMetrics: makeGetMetrics(metrics),
    getDocs: makeGetDocs(),
    getRunbook: makeGetRunbook(),
    getOperationsDesk,
    listCatalogue,
    getCatalogueStrategy,
    setCapacityLimit,
    importClaim,
    withdrawClaim,
    writeNextVersion,
    listAuditLog,
    setKillSwitch,
    listProposals,
    propose,
    decideProposal,
    listClientPayments,
    declineLiquidation,
    decideDeadLetter,
    getAdjustmentChoices,
    proposeAdjustment,
    decideAdjustment,
    noteIncident,
    lookAgain,
    retryStop,
    findClients,
    getClient,
    noteClient,
    endClientSessions,
    getTradingHalt,
    haltTrading,
    liftTradingHalt,
  };
}
