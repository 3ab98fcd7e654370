// Section 3 of the specification: every entity has its fields in these words. Further fields may stand beside them.
import { expect, test } from 'vitest';
import type { z } from 'zod';
import { billingEndpoints, plan } from '../../src/contract/billing.ts';
import { broker, brokerageEndpoints, brokerConnection } from '../../src/contract/brokerage.ts';
import { deployment, deploymentsEndpoints, position } from '../../src/contract/deployments.ts';
import { trade } from '../../src/contract/trade.ts';
import { identityEndpoints, user } from '../../src/contract/identity.ts';
import { notification, notificationPreferences } from '../../src/contract/notifications.ts';
import { benchmarkedSeries, plainSeries } from '#contract/strategies/series.ts';
import {
  backtestResults,
  strategy,
  strategyPerformance,
  strategyTrade,
} from '#contract/strategies/strategies.ts';
import { riskProfile, suitabilityEndpoints } from '../../src/contract/suitability.ts';
import { PLANS } from '../../src/rules/billing/plans.ts';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { DEFAULT_NOTIFICATION_PREFERENCES } from '../../src/rules/notifications/preferences.ts';
import { strategyBuilderEndpoints } from '#contract/strategies/strategy-builder.ts';

const SERIES = 'labels data benchmark';

test.each<[string, z.ZodType, string]>([
  [
    'strategy',
    strategy,
    `id name description shortDescription thumbnail strategy_type risk_level market is_featured min_investment fees
     returnsYTD returns1Y returns3Y returns5Y volatility sharpeRatio maxDrawdown performanceChart backtest_results
     backtest_sharpe backtest_max_drawdown`,
  ],
  ['performance chart of a strategy', plainSeries, 'labels data'],
  [
    'backtest results',
    backtestResults,
    `return_inception return_30d annual_return ytd_return return_1y volatility sharpe_ratio sortino_ratio max_drawdown
     total_trades win_rate average_trade_return average_holding_period`,
  ],
  ['strategy performance', strategyPerformance, `${SERIES} drawdown monthly_returns recent_trades`],
  ['drawdown', strategyPerformance.shape.drawdown, 'labels data_drawdown'],
  ['year of monthly returns', strategyPerformance.shape.monthly_returns.element, 'year months'],
  ['month', strategyPerformance.shape.monthly_returns.element.shape.months.element, 'month return'],
  ['recent trade', strategyTrade, 'id symbol entry_date exit_date entry_price exit_price pnl'],
  ['plan', plan, 'id name price interval isPopular features'],
  [
    'user',
    user,
    `id email first_name last_name is_agreement_signed deployed_strategies broker_connections connectedBrokers
     performance risk_profile`,
  ],
  ['performance of a user', user.shape.performance, SERIES],
  [
    'risk profile',
    riskProfile,
    `id user risk_tolerance investment_experience investment_objective time_horizon financial_situation
     max_drawdown_tolerance score recommendations questionnaire_responses created_at updated_at`,
  ],
  ['broker', broker, 'id name logo description broker_type supported_assets status'],
  ['broker connection', brokerConnection, 'id broker_connection_id connection_status'],
  [
    'deployment',
    deployment,
    `id strategy status investment_amount cash_balance stop_loss_percentage max_allocation_per_trade
     freeze_on_drawdown deployed_at total_pnl total_trades strategy_name open_positions`,
  ],
  [
    'position',
    position,
    `ticker position_type quantity entry_price current_price current_value total_cost unrealized_pnl
     unrealized_pnl_percentage strategy_name`,
  ],
  [
    'trade',
    trade,
    `id created_at trade_type ticker quantity requested_quantity price total_amount status realized_pnl trade_notes`,
  ],
  ['deployment performance', deploymentsEndpoints.getDeploymentPerformance.answer, SERIES],
  ['benchmarked series', benchmarkedSeries, SERIES],
  ['notification', notification, 'id title message read created_at'],
  ['login response', identityEndpoints.login.answer, 'token refreshToken user'],
  ['notification preferences', notificationPreferences, 'email push'],
  [
    'e-mail preferences',
    notificationPreferences.shape.email,
    'tradeConfirmations strategyUpdates performanceReports',
  ],
  ['push preferences', notificationPreferences.shape.push, 'tradeAlerts riskWarnings marketUpdates'],
  [
    'registration payload',
    identityEndpoints.register.body,
    'email username password confirm_password first_name',
  ],
  [
    'broker connection on creation',
    brokerageEndpoints.createBrokerConnection.body,
    'broker account_id api_key api_secret is_primary auth_token refresh_token connection_data',
  ],
  [
    'risk profile on creation',
    suitabilityEndpoints.createRiskProfile.body,
    `risk_tolerance investment_experience investment_objective time_horizon financial_situation
     max_drawdown_tolerance score questionnaire_responses recommendations`,
  ],
  ['choice of a plan', billingEndpoints.choosePlan.body, 'plan interval'],
])('a %s has its fields', (_name, schema, fields) => {
  expect(fieldsOf(schema)).toEqual(expect.arrayContaining(fields.split(/\s+/)));
});

function fieldsOf(schema: z.ZodType): string[] {
  return Object.keys((schema as z.ZodObject).shape);
}

test('the closed words of entities hold those of the specification', () => {
  expect(strategy.shape.strategy_type.options).toEqual([
    'deep_learning',
    'ml_based',
    'hybrid',
    'momentum',
    'mean_reversion',
    'trend_following',
    'arbitrage',
  ]);
  expect(strategy.shape.asset_class.options).toEqual(
    expect.arrayContaining(['equity', 'forex', 'crypto', 'futures', 'options']),
  );
  expect(strategy.shape.risk_level.options).toEqual(['low', 'medium', 'high']);
  expect(strategy.shape.market.options).toEqual(['us', 'global']);
  expect(riskProfile.shape.risk_tolerance.options).toEqual(['conservative', 'moderate', 'aggressive']);
  expect(DEPLOYMENT_STATUSES).toEqual(expect.arrayContaining(['active', 'paused', 'pending']));
  expect(position.shape.position_type.options).toEqual(['long', 'short']);
  expect(trade.shape.trade_type.options).toEqual(['buy', 'sell']);
  expect(brokerConnection.shape.connection_status.options).toEqual(
    expect.arrayContaining(['active', 'failed']),
  );
  expect(PLANS.map(({ id }) => id)).toEqual(['free', 'basic', 'pro', 'enterprise']);
});

test('preferences begin as section 9 says', () => {
  expect(DEFAULT_NOTIFICATION_PREFERENCES).toEqual({
    email: { tradeConfirmations: true, strategyUpdates: true, performanceReports: false },
    push: { tradeAlerts: true, riskWarnings: true, marketUpdates: false },
  });
});

test('a custom strategy is asked for by the fields of its draft, within their bounds', () => {
  const { body } = strategyBuilderEndpoints.buildStrategy;
  const draft = {
    mode: 'ui',
    asset_class: 'equity',
    risk_level: 'medium',
    max_drawdown: 15,
    target_return: 20,
    minimum_investment: 10_000,
  };
  expect(body.parse(draft)).toEqual(draft);
  expect(body.safeParse({ mode: 'ai', description: 'Trend following on crypto' }).success).toBe(true);
  for (const wrong of [
    { max_drawdown: 4 },
    { max_drawdown: 31 },
    { target_return: 9 },
    { target_return: 51 },
    { minimum_investment: 999 },
    { minimum_investment: 1000.5 },
    { asset_class: 'art' },
  ])
    expect(body.safeParse({ ...draft, ...wrong }).success, JSON.stringify(wrong)).toBe(false);
});
