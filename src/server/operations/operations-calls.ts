import type { operationsEndpoints } from '#contract/operations/operations.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { decideDeadLetter } from './decide-dead-letter.ts';
import { decideLiquidation } from './liquidation/decide-liquidation.ts';
import { decideAdjustment } from './adjustments/decide-adjustment.ts';
import { decideCash } from './cash/decide-cash.ts';
import { proposeCash } from './cash/propose-cash.ts';
import { decideForIncident } from './incidents/decide-for-incident.ts';
import { lookAgain, noteIncident } from './incidents/note-incident.ts';
import { proposeForIncident } from './incidents/propose-for-incident.ts';
import { retryStop } from './incidents/retry-stop.ts';
import { getAdjustmentChoices } from './adjustments/get-adjustment-choices.ts';
import { makeGetDocs } from './docs/get-docs.ts';
import { makeGetRunbook } from './docs/get-runbook.ts';
import { getHealth } from './get-health.ts';
import { makeGetMetrics } from './get-metrics.ts';
import { getOperationsDesk } from './get-operations-desk.ts';
import { getReadiness } from './get-readiness.ts';
import { proposeAdjustment } from './adjustments/propose-adjustment.ts';
import { liftKillSwitch } from './kill-switches/lift-kill-switch.ts';
import type { Metrics } from './metrics.ts';
import { setKillSwitch } from './kill-switches/set-kill-switch.ts';
import { resolveOrder } from './resolve-order.ts';
import { getTradingHalt, haltTrading, liftTradingHalt } from './kill-switches/trading-halt.ts';
import { widenKillSwitch } from './kill-switches/widen-kill-switch.ts';

export function operationsCalls(metrics: Metrics): RoomCalls<typeof operationsEndpoints> {
  return {
    getHealth,
    getReadiness,
    getMetrics: makeGetMetrics(metrics),
    getDocs: makeGetDocs(),
    getRunbook: makeGetRunbook(),
    getOperationsDesk,
    setKillSwitch,
    widenKillSwitch,
    liftKillSwitch,
    resolveOrder,
    decideLiquidation,
    decideDeadLetter,
    getAdjustmentChoices,
    proposeAdjustment,
    decideAdjustment,
    proposeCash,
    noteIncident,
    lookAgain,
    proposeForIncident,
    decideForIncident,
    retryStop,
    decideCash,
    getTradingHalt,
    haltTrading,
    liftTradingHalt,
  };
}
