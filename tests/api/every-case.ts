import type { EndpointName } from '../../src/contract/every-endpoint.ts';
import type { AnyCases } from './call-case.ts';
import { agreementsCases } from './cases/agreements.ts';
import { apiKeysCases } from './cases/api-keys.ts';
import { backtestsCases } from './cases/backtests.ts';
import { billingCases } from './cases/billing.ts';
import { brokerageCases } from './cases/brokerage.ts';
import { deploymentsCases } from './cases/deployments.ts';
import { feesCases } from './cases/fees.ts';
import { identityCases } from './cases/identity.ts';
import { downloadsCases } from './cases/downloads.ts';
import { leavingCases } from './cases/leaving.ts';
import { notificationsCases } from './cases/notifications.ts';
import { portfolioCases } from './cases/portfolio.ts';
import { operationsCases } from './cases/operations.ts';
import { staffCases } from './cases/staff.ts';
import { strategiesCases } from './cases/strategies.ts';
import { strategyBuilderCases } from './cases/strategy-builder.ts';
import { strategyDraftsCases } from './cases/strategy-drafts.ts';
import { suitabilityCases } from './cases/suitability.ts';
import { newsCases } from './cases/news.ts';
import { webhooksCases } from './cases/webhooks.ts';

/** The cases of every room; call-case.ts says how a room adds its own. */
export const EVERY_CASE: Readonly<Partial<Record<EndpointName, AnyCases>>> = {
  ...identityCases,
  ...apiKeysCases,
  ...suitabilityCases,
  ...strategiesCases,
  ...strategyDraftsCases,
  ...strategyBuilderCases,
  ...agreementsCases,
  ...brokerageCases,
  ...deploymentsCases,
  ...notificationsCases,
  ...newsCases,
  ...webhooksCases,
  ...backtestsCases,
  ...billingCases,
  ...feesCases,
  ...portfolioCases,
  ...downloadsCases,
  ...leavingCases,
  ...operationsCases,
  ...staffCases,
};
