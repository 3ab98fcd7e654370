import { agreementsEndpoints } from './agreements.ts';
import { apiKeysEndpoints } from './api-keys.ts';
import { backtestsEndpoints } from './strategies/backtests.ts';
import { billingEndpoints } from './billing.ts';
import { brokerageEndpoints } from './brokerage.ts';
import { deploymentsEndpoints } from './deployments.ts';
import { downloadsEndpoints } from './downloads.ts';
import type { Endpoint } from './http/endpoint.ts';
import { feesEndpoints } from './fees.ts';
import { identityEndpoints } from './identity.ts';
import { leavingEndpoints } from './leaving.ts';
import { notificationsEndpoints } from './notifications.ts';
import { operationsEndpoints } from './operations/operations.ts';
import { portfolioEndpoints } from './portfolio.ts';
import type { ROUTES } from './http/route.ts';
import { staffEndpoints } from './staff.ts';
import { strategiesEndpoints } from './strategies/strategies.ts';
import { strategyBuilderEndpoints } from './strategies/strategy-builder.ts';
import { strategyDraftEndpoints } from './strategies/strategy-drafts.ts';
import { suitabilityEndpoints } from './suitability.ts';
import { newsEndpoints } from './news.ts';
import { webhooksEndpoints } from './webhooks.ts';

/** Every call of the product, under the names of ROUTES. */
export const EVERY_ENDPOINT = {
  ...identityEndpoints,
  ...apiKeysEndpoints,
  ...suitabilityEndpoints,
  ...strategiesEndpoints,
  ...strategyDraftEndpoints,
  ...strategyBuilderEndpoints,
  ...backtestsEndpoints,
  ...agreementsEndpoints,
  ...brokerageEndpoints,
  ...deploymentsEndpoints,
  ...portfolioEndpoints,
  ...notificationsEndpoints,
  ...newsEndpoints,
  ...webhooksEndpoints,
  ...billingEndpoints,
  ...feesEndpoints,
  ...downloadsEndpoints,
  ...leavingEndpoints,
  ...operationsEndpoints,
  ...staffEndpoints,
} as const satisfies Record<keyof typeof ROUTES, Endpoint>;

export type EveryEndpoint = typeof EVERY_ENDPOINT;
export type EndpointName = keyof EveryEndpoint;
