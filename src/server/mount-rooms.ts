import type { FastifyInstance } from 'fastify';
import { agreementsEndpoints } from '#contract/agreements.ts';
import { apiKeysEndpoints } from '#contract/api-keys.ts';
import { backtestsEndpoints } from '#contract/strategies/backtests.ts';
import { billingEndpoints } from '#contract/billing.ts';
import { brokerageEndpoints } from '#contract/brokerage.ts';
import { deploymentsEndpoints } from '#contract/deployments.ts';
import { feesEndpoints } from '#contract/fees.ts';
import { identityEndpoints } from '#contract/identity.ts';
import { downloadsEndpoints } from '#contract/downloads.ts';
import { leavingEndpoints } from '#contract/leaving.ts';
import { notificationsEndpoints } from '#contract/notifications.ts';
import { portfolioEndpoints } from '#contract/portfolio.ts';
import { operationsEndpoints } from '#contract/operations/operations.ts';
import { staffEndpoints } from '#contract/staff.ts';
import { strategiesEndpoints } from '#contract/strategies/strategies.ts';
import { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';
import { newsEndpoints } from '#contract/news.ts';
import { webhooksEndpoints } from '#contract/webhooks.ts';
import { suitabilityEndpoints } from '#contract/suitability.ts';
import { agreementsCalls } from './agreements/agreements-calls.ts';
import { serveSigningPage } from './agreements/signing-page/serve-signing-page.ts';
import { serveVendorPage } from './agreements/signing-page/serve-vendor-page.ts';
import { apiKeysCalls } from './api-keys/api-keys-calls.ts';
import { backtestsCalls } from './strategies/backtests/backtests-calls.ts';
import { billingCalls } from './billing/billing-calls.ts';
import { brokerageCalls } from './brokerage/brokerage-calls.ts';
import type { Dependencies } from './http/dependencies.ts';
import { deploymentsCalls } from './deployments/deployments-calls.ts';
import { feesCalls } from './fees/fees-calls.ts';
import { downloadsCalls } from './downloads/downloads-calls.ts';
import { leavingCalls } from './leaving/leaving-calls.ts';
import { logRefusedCalls } from './identity/security-events.ts';
import { identityCalls } from './identity/identity-calls.ts';
import { mountRoom } from './http/mount-room.ts';
import { portfolioCalls } from './portfolio/portfolio-calls.ts';
import { serveMcp } from './mcp/serve-mcp.ts';
import { notificationsCalls } from './notifications/notifications-calls.ts';
import { showNotification } from './notifications/show-notification.ts';
import { servePaymentNotices } from './payments/serve-payment-notices.ts';
import { measure } from './operations/metrics.ts';
import { operationsCalls } from './operations/operations-calls.ts';
import { serveDocsStyle } from './operations/docs/serve-docs-style.ts';
import { mountDrafts } from './strategies/drafts/mount-drafts.ts';
import { strategiesCalls } from './strategies/strategies-calls.ts';
import { strategyBuilderCalls } from './strategy-builder/strategy-builder-calls.ts';
import { staffCalls } from './staff/staff-calls.ts';
import { StreamHub } from './stream/stream-hub.ts';
import { newsCalls } from './news/news-calls.ts';
import { webhooksCalls } from './webhooks/webhooks-calls.ts';
import { suitabilityCalls } from './suitability/suitability-calls.ts';
import { serveClient } from './typescript-client/serve-client.ts';

/** How long a stopping server may finish its answers; connections still open after that are closed. */
const LAST_ANSWERS_MS = 3_000;

/** Every room with its calls. */
export async function mountRooms(app: FastifyInstance, dependencies: Dependencies): Promise<void> {
  const { mountPages, payments, signingCeremony, vendorSigning } = dependencies;
  const hub = new StreamHub(dependencies, {
    notification: showNotification,
    deployment: dependencies.findDeployment,
  });
  const metrics = measure(app, dependencies, hub);
  app.addHook('preClose', async () => {
    const closing = hub.close();
    setTimeout(() => app.server.closeAllConnections(), LAST_ANSWERS_MS).unref();
    await closing;
  });
  logRefusedCalls(app, dependencies);
  mountRoom(app, dependencies, { endpoints: identityEndpoints, calls: identityCalls });
  mountRoom(app, dependencies, { endpoints: apiKeysEndpoints, calls: apiKeysCalls(deploymentsCalls) });
  mountRoom(app, dependencies, { endpoints: suitabilityEndpoints, calls: suitabilityCalls });
  mountRoom(app, dependencies, { endpoints: strategiesEndpoints, calls: strategiesCalls });
  await mountDrafts(app, dependencies);
  mountRoom(app, dependencies, { endpoints: strategyBuilderEndpoints, calls: strategyBuilderCalls });
  mountRoom(app, dependencies, { endpoints: backtestsEndpoints, calls: backtestsCalls });
  mountRoom(app, dependencies, { endpoints: agreementsEndpoints, calls: agreementsCalls });
  if (signingCeremony !== null) await serveSigningPage(app, signingCeremony, dependencies);
  if (vendorSigning !== null) await serveVendorPage(app, vendorSigning, dependencies);
  mountRoom(app, dependencies, { endpoints: brokerageEndpoints, calls: brokerageCalls });
  mountRoom(app, dependencies, { endpoints: deploymentsEndpoints, calls: deploymentsCalls });
  mountRoom(app, dependencies, { endpoints: portfolioEndpoints, calls: portfolioCalls });
  mountRoom(app, dependencies, { endpoints: billingEndpoints, calls: billingCalls });
  mountRoom(app, dependencies, { endpoints: feesEndpoints, calls: feesCalls });
  if (payments.notices !== null) await servePaymentNotices(app, payments.notices, dependencies);
  mountRoom(app, dependencies, { endpoints: downloadsEndpoints, calls: downloadsCalls });
  mountRoom(app, dependencies, { endpoints: leavingEndpoints, calls: leavingCalls });
  mountRoom(app, dependencies, { endpoints: notificationsEndpoints, calls: notificationsCalls(hub) });
  mountRoom(app, dependencies, { endpoints: newsEndpoints, calls: newsCalls });
  mountRoom(app, dependencies, { endpoints: webhooksEndpoints, calls: webhooksCalls });
  mountRoom(app, dependencies, { endpoints: operationsEndpoints, calls: operationsCalls(metrics) });
  mountRoom(app, dependencies, { endpoints: staffEndpoints, calls: staffCalls });
  serveMcp(app, dependencies);
  serveClient(app, dependencies.config);
  serveDocsStyle(app);
  await mountPages(app);
}
