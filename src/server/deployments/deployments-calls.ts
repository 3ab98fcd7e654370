import type { deploymentsEndpoints } from '#contract/deployments.ts';
import type { RoomCalls } from '../http/mount-room.ts';
import { acknowledgeTripwire } from './acknowledge-tripwire.ts';
import { changeDeployment, changeSettings } from './change-settings.ts';
import { getDeploymentPlace } from './capacity/get-place.ts';
import { compareShadow } from './compare-shadow.ts';
import { createDeployment } from './create-deployment.ts';
import { createPracticeDeployment } from './create-practice-deployment.ts';
import { deployStrategy } from './deploy-strategy.ts';
import { getDecision } from './decisions/get-decision.ts';
import { getDecisionBars, getDecisionInputs } from './decisions/get-decision-inputs.ts';
import { getNextDecision } from './decisions/get-next-decision.ts';
import { listDecisions } from './decisions/list-decisions.ts';
import { cancelFlow } from './flows/cancel-flow.ts';
import { listFlows } from './flows/list-flows.ts';
import { requestFlow } from './flows/request-flow.ts';
import { getDeployment } from './get-deployment.ts';
import { getPerformance } from './history/get-performance.ts';
import { withdrawLiquidation } from './withdraw-liquidation.ts';
import { liquidateDeployment } from './liquidate-deployment.ts';
import { listDeployments } from './list-deployments.ts';
import { listPositions } from './list-positions.ts';
import { getReturnBridge } from './history/get-return-bridge.ts';
import { downloadCash, listCash } from './history/list-cash.ts';
import { downloadClosedTrades, downloadTrades, listClosedTrades } from './history/list-closed-trades.ts';
import { downloadExpectedRange, getExpectedRange } from './history/get-expected-range.ts';
import { listTrades } from './history/list-trades.ts';
import { pauseDeployment, removeDeployment, stopDeployment } from './command-deployment.ts';
import { promoteDeployment } from './promote-deployment.ts';
import { resumeDeployment } from './resume-deployment.ts';

export const deploymentsCalls: RoomCalls<typeof deploymentsEndpoints> = {
  listDeployments,
  createDeployment,
  createPracticeDeployment,
  promoteDeployment,
  deployStrategy,
  compareShadow,
  getDeployment,
  changeDeployment,
  removeDeployment,
  pauseDeployment,
  resumeDeployment,
  stopDeployment,
  liquidateDeployment,
  withdrawLiquidation,
  listFlows,
  requestFlow,
  cancelFlow,
  changeDeploymentSettings: changeSettings,
  getDeploymentPerformance: getPerformance,
  getExpectedRange,
  downloadExpectedRange,
  acknowledgeTripwire,
  listDeploymentPositions: listPositions,
  listDeploymentTrades: listTrades,
  downloadDeploymentTrades: downloadTrades,
  listClosedTrades,
  downloadClosedTrades,
  getReturnBridge,
  listDeploymentCash: listCash,
  downloadDeploymentCash: downloadCash,
  listDeploymentDecisions: listDecisions,
  getDeploymentDecision: getDecision,
  getDecisionInputs,
  getDecisionBars,
  getNextDecision,
  getDeploymentPlace,
};
