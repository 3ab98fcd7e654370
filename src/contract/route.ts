export type Method = 'GET' | 'POST' | 'PATCH' | 'DELETE';

/** Where a call goes. `{name}` in the path stands for a parameter; trailing slashes are as published. */
export type Route = { readonly method: Method; readonly path: string };

/**
 * Every call by its name. Free of zod, so that a browser can import it at no cost; the types of what goes in
 * and comes out are those of EveryEndpoint in every-endpoint.ts, under the same names.
 */
export const ROUTES = {
  // identity
  register: { method: 'POST', path: '/api/auth/register/' },
  login: { method: 'POST', path: '/api/auth/login/' },
  refreshToken: { method: 'POST', path: '/api/auth/token/refresh/' },
  logout: { method: 'POST', path: '/api/auth/logout/' },
  getMe: { method: 'GET', path: '/api/auth/me/' },
  changeMe: { method: 'PATCH', path: '/api/auth/me/' },
  changePassword: { method: 'POST', path: '/api/auth/password/change/' },
  requestPasswordReset: { method: 'POST', path: '/api/auth/password/reset/' },
  confirmPasswordReset: { method: 'POST', path: '/api/auth/password/reset/confirm/' },
  // suitability
  getRiskProfile: { method: 'GET', path: '/api/risk-assessment/' },
  createRiskProfile: { method: 'POST', path: '/api/risk-assessment/' },
  changeRiskProfile: { method: 'PATCH', path: '/api/risk-assessment/{id}/' },
  removeRiskProfile: { method: 'DELETE', path: '/api/risk-assessment/{id}/' },
  // strategies
  listStrategies: { method: 'GET', path: '/api/strategies/' },
  listStrategyDrafts: { method: 'GET', path: '/api/strategies/drafts/' },
  createStrategy: { method: 'POST', path: '/api/strategies/' },
  changeStrategy: { method: 'PATCH', path: '/api/strategies/{id}/' },
  removeStrategy: { method: 'DELETE', path: '/api/strategies/{id}/' },
  getStrategyThumbnail: { method: 'GET', path: '/api/strategies/{id}/thumbnail/{hash}' },
  filterStrategies: { method: 'POST', path: '/api/strategies/filter/' },
  getStrategy: { method: 'GET', path: '/api/strategies/{id}/' },
  getStrategyPerformance: { method: 'GET', path: '/api/strategies/{id}/performance/' },
  listStrategyTrades: { method: 'GET', path: '/api/strategies/{id}/trades/' },
  downloadStrategyTrades: { method: 'GET', path: '/api/strategies/{id}/strategy_trades_csv' },
  createTradeLogLink: { method: 'POST', path: '/api/strategies/{id}/trade_log_link/' },
  getStrategyEvidence: { method: 'GET', path: '/api/strategies/{id}/evidence/' },
  getStrategyEvidenceData: { method: 'GET', path: '/api/strategies/{id}/evidence/data/' },
  // backtests
  createBacktest: { method: 'POST', path: '/api/strategies/{id}/backtests/' },
  listBacktests: { method: 'GET', path: '/api/strategies/{id}/backtests/' },
  getBacktest: { method: 'GET', path: '/api/backtests/{id}/' },
  cancelBacktest: { method: 'POST', path: '/api/backtests/{id}/cancel/' },
  // strategy-builder
  listBuilderInstruments: { method: 'GET', path: '/api/strategies/builder/instruments/' },
  buildStrategy: { method: 'POST', path: '/api/strategies/builder/' },
  tuneStrategy: { method: 'POST', path: '/api/strategies/{id}/tune/' },
  // agreements
  getAgreementUrl: { method: 'GET', path: '/api/investment-agreement-url' },
  getAgreementStatus: { method: 'GET', path: '/api/docusign-callback' },
  listAgreements: { method: 'GET', path: '/api/agreements/' },
  downloadAgreement: { method: 'GET', path: '/api/agreements/{id}/document/' },
  // brokerage
  listBrokers: { method: 'GET', path: '/api/brokers/' },
  getBroker: { method: 'GET', path: '/api/brokers/{id}/' },
  listBrokerConnections: { method: 'GET', path: '/api/broker-connections/' },
  createBrokerConnection: { method: 'POST', path: '/api/broker-connections/' },
  getMyBrokerConnection: { method: 'GET', path: '/api/broker-connections/me/' },
  completeBrokerConnection: { method: 'GET', path: '/api/broker-connections/callback' },
  getBrokerConnection: { method: 'GET', path: '/api/broker-connections/{id}/' },
  changeBrokerConnection: { method: 'PATCH', path: '/api/broker-connections/{id}/' },
  removeBrokerConnection: { method: 'DELETE', path: '/api/broker-connections/{id}/' },
  setPrimaryBrokerConnection: { method: 'POST', path: '/api/broker-connections/{id}/set_primary/' },
  testBrokerConnection: { method: 'POST', path: '/api/broker-connections/{id}/test_connection/' },
  getIbkrStatus: { method: 'GET', path: '/api/ibkr-status/' },
  // deployments
  listDeployments: { method: 'GET', path: '/api/deployments/' },
  createDeployment: { method: 'POST', path: '/api/deployments/' },
  deployStrategy: { method: 'POST', path: '/api/strategies/deploy/' },
  getDeployment: { method: 'GET', path: '/api/deployments/{id}/' },
  changeDeployment: { method: 'PATCH', path: '/api/deployments/{id}/' },
  removeDeployment: { method: 'DELETE', path: '/api/deployments/{id}/' },
  pauseDeployment: { method: 'POST', path: '/api/deployments/{id}/pause/' },
  resumeDeployment: { method: 'POST', path: '/api/deployments/{id}/resume/' },
  stopDeployment: { method: 'POST', path: '/api/deployments/{id}/stop/' },
  liquidateDeployment: { method: 'POST', path: '/api/deployments/{id}/liquidate/' },
  changeDeploymentSettings: { method: 'PATCH', path: '/api/deployments/{id}/settings/' },
  getDeploymentPerformance: { method: 'GET', path: '/api/deployments/{id}/performance' },
  listDeploymentPositions: { method: 'GET', path: '/api/deployments/{id}/position_summary/' },
  listDeploymentTrades: { method: 'GET', path: '/api/deployments/{id}/trades/' },
  // notifications
  listNotifications: { method: 'GET', path: '/api/notifications/' },
  getNotification: { method: 'GET', path: '/api/notifications/{id}/' },
  markNotificationRead: { method: 'POST', path: '/api/notifications/{id}/mark_as_read/' },
  markAllNotificationsRead: { method: 'POST', path: '/api/notifications/mark_all_as_read/' },
  getNotificationPreferences: { method: 'GET', path: '/api/notifications/preferences/' },
  changeNotificationPreferences: { method: 'PATCH', path: '/api/notifications/preferences/' },
  openStream: { method: 'GET', path: '/api/stream/' },
  // billing
  listPlans: { method: 'GET', path: '/api/plans/' },
  getBilling: { method: 'GET', path: '/api/billing/' },
  quotePlan: { method: 'GET', path: '/api/billing/quote/' },
  choosePlan: { method: 'POST', path: '/api/billing/plan/' },
  cancelPlan: { method: 'POST', path: '/api/billing/plan/cancel/' },
  keepPlan: { method: 'POST', path: '/api/billing/plan/keep/' },
  listPayments: { method: 'GET', path: '/api/billing/payments/' },
  getPayment: { method: 'GET', path: '/api/billing/payments/{id}/' },
  // operations
  getHealth: { method: 'GET', path: '/api/health/' },
  getReadiness: { method: 'GET', path: '/api/ready/' },
  getMetrics: { method: 'GET', path: '/api/metrics' },
  getDocs: { method: 'GET', path: '/api/docs/' },
  getOperationsDesk: { method: 'GET', path: '/api/operations/' },
  setKillSwitch: { method: 'POST', path: '/api/operations/kill-switches/' },
  widenKillSwitch: { method: 'POST', path: '/api/operations/kill-switches/{id}/cancel_orders/' },
  liftKillSwitch: { method: 'DELETE', path: '/api/operations/kill-switches/{id}/' },
  settleOrder: { method: 'POST', path: '/api/operations/orders/{id}/settle/' },
  decideLiquidation: { method: 'POST', path: '/api/operations/liquidation-requests/{id}/decide/' },
  getTradingHalt: { method: 'GET', path: '/api/trading-halt/' },
  haltTrading: { method: 'POST', path: '/api/trading-halt/' },
  liftTradingHalt: { method: 'DELETE', path: '/api/trading-halt/' },
} as const satisfies Record<string, Route>;
