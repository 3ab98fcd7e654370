import type { operationsEndpoints } from '#contract/operations.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { decideDeadLetter } from './decide-dead-letter.ts';
import { decideLiquidation } from './decide-liquidation.ts';
import { decideCorrection } from './decide-correction.ts';
import { getCorrectionChoices } from './get-correction-choices.ts';
import { makeGetDocs } from './get-docs.ts';
import { getHealth } from './get-health.ts';
import { makeGetMetrics } from './get-metrics.ts';
import { getOperationsDesk } from './get-operations-desk.ts';
import { getReadiness } from './get-readiness.ts';
import { proposeCorrection } from './propose-correction.ts';
import { liftKillSwitch } from './lift-kill-switch.ts';
import type { Metrics } from './metrics.ts';
import { setKillSwitch } from './set-kill-switch.ts';
import { settleOrder } from './settle-order.ts';
import { getTradingHalt, haltTrading, liftTradingHalt } from './trading-halt.ts';
import { widenKillSwitch } from './widen-kill-switch.ts';

export function operationsCalls(metrics: Metrics): RoomCalls<typeof operationsEndpoints> {
  return {
    getHealth,
    getReadiness,
    getMetrics: makeGetMetrics(metrics),
    getDocs: makeGetDocs(),
    getOperationsDesk,
    setKillSwitch,
    widenKillSwitch,
    liftKillSwitch,
    settleOrder,
    decideLiquidation,
    decideDeadLetter,
    getCorrectionChoices,
    proposeCorrection,
    decideCorrection,
    getTradingHalt,
    haltTrading,
    liftTradingHalt,
  };
}
