import { z } from 'zod';
import { DEPLOYMENT_STATUSES } from '#rules/deployments/status.ts';
import { RISK_LEVELS } from '#rules/suitability/strategy-risk.ts';
import { endpoint, idParams } from './endpoint.ts';
import { ROUTES } from './route.ts';
import { benchmarkedSeries, timeframeRange } from './series.ts';

const deploymentStatus = z.enum(DEPLOYMENT_STATUSES);

/** Money in dollars, exact to 1e-6. Over one deployment: equity = cash_balance + the sum of current_value. */
export const position = z
  .object({
    ticker: z.string(),
    position_type: z.enum(['long', 'short']),
    /** Signed: negative is short. */
    quantity: z.number(),
    entry_price: z.number(),
    current_price: z.number(),
    /** What it adds to equity, signed: quantity × price, or the unrealised profit of a margin position. */
    current_value: z.number(),
    total_cost: z.number(),
    /** Absolute worth of what is controlled: |quantity| × price in dollars. */
    notional_value: z.number(),
    unrealized_pnl: z.number(),
    unrealized_pnl_percentage: z.number(),
    strategy_name: z.string(),
  })
  .meta({ id: 'Position' });

export type Position = z.infer<typeof position>;

export const deployment = z
  .object({
    id: z.string(),
    /** The strategy's id. */
    strategy: z.string(),
    strategy_name: z.string(),
    risk_level: z.enum(RISK_LEVELS),
    broker_connection: z.string(),
    status: deploymentStatus,
    /** What was asked for and is not yet a fact; null when status is all there is to say. */
    wished_status: deploymentStatus.nullable(),
    /** Why it is in this status, as a sentence, where there is something to say. */
    status_reason: z.string().nullable(),
    investment_amount: z.number(),
    cash_balance: z.number(),
    /** cash_balance plus every position's current_value; also investment_amount + total_pnl + unrealized_pnl. */
    equity: z.number(),
    position_value: z.number(),
    unrealized_pnl: z.number(),
    /** Realised profit and loss, net of commissions. */
    total_pnl: z.number(),
    /** Executed trades. */
    total_trades: z.number().int(),
    /** Percent of closed trades with a non-zero result that made a profit; null when there are none. */
    win_rate: z.number().nullable(),
    open_positions: z.number().int(),
    positions: z.array(position),
    stop_loss_percentage: z.number(),
    max_allocation_per_trade: z.number(),
    /** Percent of drawdown at which new exposure stops; 0 is off. */
    freeze_on_drawdown: z.number(),
    frozen_at: z.string().nullable(),
    /** While support has not decided on the owner's request; null without one. */
    liquidation_requested_at: z.string().nullable(),
    deployed_at: z.string(),
    days_active: z.number().int(),
    /** The market time that the prices are of. */
    as_of: z.string(),
  })
  .meta({ id: 'Deployment' });

export type Deployment = z.infer<typeof deployment>;

export const trade = z
  .object({
    id: z.string(),
    /** When the order was placed. */
    created_at: z.string(),
    /** When it was last filled; null when it was not. */
    executed_at: z.string().nullable(),
    trade_type: z.enum(['buy', 'sell']),
    ticker: z.string(),
    /** Filled. */
    quantity: z.number(),
    requested_quantity: z.number(),
    /** Average fill price; null when nothing was filled. */
    price: z.number().nullable(),
    /** Filled worth in dollars. */
    total_amount: z.number(),
    commission: z.number(),
    /** executed: wholly filled. partial: ended or working with a part filled. pending: at the broker or on its way. */
    status: z.enum(['executed', 'partial', 'pending', 'cancelled', 'failed', 'unknown']),
    realized_pnl: z.number(),
    trade_notes: z.string(),
  })
  .meta({ id: 'Trade' });

export type Trade = z.infer<typeof trade>;

const percent = z.number('Give a number').min(0, 'Give zero or more').max(100, 'Give at most 100');
const createDeploymentBody = z
  .object({
    strategy: z.string('Choose a strategy').min(1, 'Choose a strategy').max(100),
    broker_connection: z.string('Connect a broker first').min(1, 'Connect a broker first').max(100),
    investment_amount: z
      .number('Give the investment amount in dollars')
      .positive('Give an amount above zero')
      .max(1_000_000_000, 'Give a smaller amount'),
    stop_loss_percentage: percent,
    max_allocation_per_trade: percent,
    freeze_on_drawdown: percent,
  })
  .meta({ id: 'CreateDeploymentRequest' });

export type CreateDeploymentRequest = z.infer<typeof createDeploymentBody>;

const settingsBody = z
  .object({
    stop_loss_percentage: percent.optional(),
    max_allocation_per_trade: percent.optional(),
    freeze_on_drawdown: percent.optional(),
  })
  .meta({ id: 'DeploymentSettingsRequest' });

const item = { room: 'deployments', security: 'bearer', params: idParams, status: 200 } as const;
const create = {
  room: 'deployments',
  security: 'bearer',
  body: createDeploymentBody,
  status: 201,
  answer: deployment,
  refusals: [404, 409, 422, 503],
  idempotent: true,
} as const;

export const deploymentsEndpoints = {
  listDeployments: endpoint(ROUTES.listDeployments, {
    room: 'deployments',
    summary: "The caller's deployments with their positions, newest first, all from one snapshot",
    security: 'bearer',
    status: 200,
    answer: z.array(deployment),
    refusals: [],
  }),
  createDeployment: endpoint(ROUTES.createDeployment, { ...create, summary: 'Deploy a strategy' }),
  deployStrategy: endpoint(ROUTES.deployStrategy, {
    ...create,
    summary: 'Deploy a strategy: the same as POST /api/deployments/',
  }),
  getDeployment: endpoint(ROUTES.getDeployment, {
    ...item,
    summary: 'One deployment with its positions, from one snapshot',
    answer: deployment,
    refusals: [404],
  }),
  changeDeployment: endpoint(ROUTES.changeDeployment, {
    ...item,
    summary: 'Change the limits: the same as settings',
    body: settingsBody,
    answer: deployment,
    refusals: [404, 409, 422],
  }),
  removeDeployment: endpoint(ROUTES.removeDeployment, {
    ...item,
    summary: 'Withdraw a deployment that never traded; any other is stopped, not removed',
    status: 204,
    answer: z.void(),
    refusals: [404, 409],
  }),
  pauseDeployment: endpoint(ROUTES.pauseDeployment, {
    ...item,
    summary: 'Pause trading: no new order leaves from now on',
    answer: deployment,
    refusals: [404, 409],
  }),
  resumeDeployment: endpoint(ROUTES.resumeDeployment, {
    ...item,
    summary: 'Resume trading, when every gate holds',
    answer: deployment,
    refusals: [404, 409, 422],
  }),
  stopDeployment: endpoint(ROUTES.stopDeployment, {
    ...item,
    summary: 'Stop for good: positions are sold, then it ends',
    answer: deployment,
    refusals: [404, 409],
  }),
  liquidateDeployment: endpoint(ROUTES.liquidateDeployment, {
    ...item,
    summary: 'Ask support to liquidate: once approved, positions are sold and it ends as liquidated',
    answer: deployment,
    refusals: [404, 409],
  }),
  changeDeploymentSettings: endpoint(ROUTES.changeDeploymentSettings, {
    ...item,
    summary: 'Change stop loss, allocation cap and freeze',
    body: settingsBody,
    answer: deployment,
    refusals: [404, 409, 422],
  }),
  getDeploymentPerformance: endpoint(ROUTES.getDeploymentPerformance, {
    ...item,
    summary: 'Equity over time against the benchmark; the last point is the equity of now',
    query: z.object({ timeframe: timeframeRange.default('1M') }),
    answer: benchmarkedSeries.extend({ as_of: z.string() }).meta({ id: 'DeploymentPerformance' }),
    refusals: [404],
  }),
  listDeploymentPositions: endpoint(ROUTES.listDeploymentPositions, {
    ...item,
    summary: 'Open positions',
    answer: z.array(position),
    refusals: [404],
  }),
  listDeploymentTrades: endpoint(ROUTES.listDeploymentTrades, {
    ...item,
    summary: 'Orders and their fills, newest first',
    query: z.object({ limit: z.coerce.number().int().min(1).max(1000).default(500) }),
    answer: z.array(trade),
    refusals: [404],
  }),
} as const;
