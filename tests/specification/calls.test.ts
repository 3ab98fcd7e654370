// Section 7 of the specification: every call it lists is there, at its address, with its payload and its answer.
import { expect, test } from 'vitest';
import type { z } from 'zod';
import type { Endpoint } from '#contract/http/endpoint.ts';
import { EVERY_ENDPOINT } from '../../src/contract/every-endpoint.ts';

type Call = readonly [method: string, path: string, payload: string, answer: string];

const SETTINGS = 'stop_loss_percentage max_allocation_per_trade freeze_on_drawdown';
const ASSESSMENT = `risk_tolerance investment_experience investment_objective time_horizon financial_situation
  max_drawdown_tolerance score questionnaire_responses recommendations`;

const CALLS: readonly Call[] = [
  ['POST', '/api/auth/login/', 'email password', 'token refreshToken user'],
  ['POST', '/api/auth/register/', 'email username password confirm_password first_name', ''],
  ['GET', '/api/auth/me/', '', 'id email first_name'],
  ['PATCH', '/api/auth/me/', 'first_name last_name', 'id'],
  ['POST', '/api/auth/password/change/', 'old_password new_password', ''],
  ['POST', '/api/auth/password/reset/', 'email', ''],
  ['POST', '/api/auth/password/reset/confirm/', 'token new_password confirm_new_password', ''],
  ['POST', '/api/auth/token/refresh/', 'refresh', 'access'],
  ['GET', '/api/risk-assessment/', '', 'id user score'],
  ['POST', '/api/risk-assessment/', ASSESSMENT, 'id user'],
  ['PATCH', '/api/risk-assessment/{id}/', ASSESSMENT, 'id user'],
  ['DELETE', '/api/risk-assessment/{id}/', '', ''],
  ['GET', '/api/strategies/', '', ''],
  ['GET', '/api/strategies/{id}/', '', 'id name'],
  ['GET', '/api/strategies/{id}/performance/', '', 'labels data benchmark'],
  ['GET', '/api/strategies/{id}/trades/', '', ''],
  ['GET', '/api/strategies/{id}/strategy_trades_csv', '', ''],
  ['POST', '/api/strategies/', 'name shortDescription description definition thumbnail', 'id'],
  ['PATCH', '/api/strategies/{id}/', 'name shortDescription description definition thumbnail', 'id'],
  ['DELETE', '/api/strategies/{id}/', '', ''],
  ['POST', '/api/strategies/filter/', 'search market risk type', ''],
  ['POST', '/api/strategies/deploy/', `strategy broker_connection investment_amount ${SETTINGS}`, 'id'],
  ['GET', '/api/deployments/', '', ''],
  ['POST', '/api/deployments/', `strategy broker_connection investment_amount ${SETTINGS}`, 'id'],
  ['GET', '/api/deployments/{id}/', '', 'id'],
  ['PATCH', '/api/deployments/{id}/', SETTINGS, 'id'],
  ['DELETE', '/api/deployments/{id}/', '', ''],
  ['POST', '/api/deployments/{id}/pause/', '', 'status'],
  ['POST', '/api/deployments/{id}/resume/', '', 'status'],
  ['POST', '/api/deployments/{id}/stop/', '', 'status'],
  ['GET', '/api/deployments/{id}/performance', '', 'labels data benchmark'],
  ['GET', '/api/deployments/{id}/position_summary/', '', ''],
  ['GET', '/api/deployments/{id}/trades/', '', ''],
  ['PATCH', '/api/deployments/{id}/settings/', SETTINGS, SETTINGS],
  ['GET', '/api/investment-agreement-url', '', 'signing_url'],
  ['GET', '/api/docusign-callback', '', 'status'],
  ['GET', '/api/brokers/', '', ''],
  ['GET', '/api/brokers/{id}/', '', 'id name'],
  ['GET', '/api/broker-connections/', '', ''],
  [
    'POST',
    '/api/broker-connections/',
    'broker account_id api_key api_secret is_primary auth_token refresh_token connection_data',
    'id',
  ],
  ['GET', '/api/broker-connections/me/', '', 'connection_status broker_connection_id'],
  ['GET', '/api/broker-connections/{id}/', '', 'connection_status broker_connection_id'],
  ['GET', '/api/ibkr-status/', '', 'connection_status broker_connection_id'],
  ['PATCH', '/api/broker-connections/{id}/', 'is_primary', 'is_primary'],
  ['DELETE', '/api/broker-connections/{id}/', '', ''],
  ['POST', '/api/broker-connections/{id}/set_primary/', '', 'is_primary'],
  ['POST', '/api/broker-connections/{id}/test_connection/', '', ''],
  ['GET', '/api/notifications/', '', ''],
  ['GET', '/api/notifications/{id}/', '', 'id title message read created_at'],
  ['POST', '/api/notifications/{id}/mark_as_read/', '', 'read'],
  ['POST', '/api/notifications/mark_all_as_read/', '', ''],
];

const ENDPOINTS: readonly Endpoint[] = Object.values(EVERY_ENDPOINT);

test.each(CALLS)('%s %s takes %s and answers %s', (method, path, payload, answer) => {
  const endpoint = ENDPOINTS.find((one) => one.method === method && one.path === path);
  expect(fieldsOf(endpoint?.body)).toEqual(expect.arrayContaining(wordsOf(payload)));
  expect(fieldsOf(endpoint!.answer)).toEqual(expect.arrayContaining(wordsOf(answer)));
});

function wordsOf(text: string): string[] {
  return text.split(/\s+/).filter(Boolean);
}

function fieldsOf(schema: z.ZodType | undefined): string[] {
  return schema !== undefined && 'shape' in schema ? Object.keys((schema as z.ZodObject).shape) : [];
}

test('the queries of the specification are accepted as written there', () => {
  const { getStrategyPerformance, getDeploymentPerformance, getMyBrokerConnection } = EVERY_ENDPOINT;
  expect(getStrategyPerformance.query.parse({ timeframe: 'week' })).toEqual({ timeframe: 'week' });
  expect(getDeploymentPerformance.query.parse({})).toEqual({ timeframe: '1M' });
  for (const timeframe of ['1D', '1W', '1M', '3M', '1Y', 'ALL'])
    expect(getDeploymentPerformance.query.parse({ timeframe })).toEqual({ timeframe });
  // A user-level lookup is made by the integrated broker's display name.
  expect(getMyBrokerConnection.query.parse({ broker: 'Interactive Brokers' })).toBeDefined();
});

test('bodies are JSON, except a strategy, which is a multipart form', () => {
  const forms = ENDPOINTS.filter(({ form }) => form === 'multipart').map(
    ({ method, path }) => `${method} ${path}`,
  );
  expect(forms.sort()).toEqual(['PATCH /api/strategies/{id}/', 'POST /api/strategies/']);
});

test('public calls need no sign-in, and all others do', () => {
  const open = ENDPOINTS.filter(({ security }) => security !== 'bearer').map(({ path }) => path);
  const areas = ['/api/auth/', '/api/strategies/', '/api/brokers/', '/api/plans/'];
  const ownWays = [
    // By a link that works once.
    '/api/account/export/file',
    '/api/broker-connections/callback',
    '/api/health/',
    '/api/ready/',
    '/api/metrics',
    '/api/docs/',
    '/api/runbook',
    '/api/staff/invitations/accept/',
  ];
  for (const path of open)
    expect(ownWays.includes(path) || areas.some((area) => path.startsWith(area)), path).toBe(true);
  for (const path of ['/api/auth/me/', '/api/strategies/deploy/', '/api/strategies/drafts/'])
    expect(open).not.toContain(path);
});
