import { z } from 'zod';
import { FLOW_KINDS } from '#engine/execution/flows/flow.ts';
import { DISCONNECT_CHOICES } from '#engine/lifecycle/disconnect-policy.ts';
import { TRIPWIRE_CHOICES, TRIPWIRE_STATES } from '#engine/risk/tripwire.ts';
import { DEPLOYMENT_STATUSES } from '#engine/lifecycle/status.ts';
import { RISK_LEVELS } from '#rules/suitability/strategy-risk.ts';
import { brokerSession } from './brokerage.ts';
import { DEPLOYING_REFUSALS, PERSON_REFUSALS } from './deploying-refusals.ts';
import { cashLedgerEndpoints } from './cash-ledger.ts';
import { returnBridgeEndpoints } from './return-bridge.ts';
import { flowsEndpoints } from './deployment-flows.ts';
import { closedCounts, closedTradesEndpoints } from './closed-trades.ts';
import { decisionsEndpoints } from './decisions.ts';
import { expectedRangeEndpoints } from './expected-range.ts';
import { placeEndpoints } from './deployment-place.ts';
import { endpoint, idParams } from './http/endpoint.ts';
import { ROUTES } from './http/route.ts';
import { compareShadow } from './compare-shadow.ts';
import { trade } from './trade.ts';
import { benchmarkedSeries, benchmarkName, timeframeRange } from './strategies/series.ts';

const deploymentStatus = z.enum(DEPLOYMENT_STATUSES);

/** Money in dollars, exact to 1e-6. Over one deployment: equity = cash_balance + the sum of current_value. */
export const position = z
  .object({
    ticker: z.string(),
    formerly: z.array(z.string()),
    position_type: z.enum(['long', 'short']),
    /** Signed: negative is short. */
    quantity: z.number(),
    entry_price: z.number(),
    current_price: z.number(),
    /** Its part of equity, signed: quantity × price, or the unrealised profit of a margin position. */
    current_value: z.number(),
    total_cost: z.number(),
    /** The notional as an absolute value: |quantity| × price in dollars. */
    notional_value: z.number(),
    unrealized_pnl: z.number(),
    unrealized_pnl_percentage: z.number(),
    strategy_name: z.string(),
    /** The protective stop that works at the broker; null when there is none. */
    protective_stop: z
      .object({
        /** In the quote currency: the price that triggers it. */
        price: z.number(),
        /** Market time at which it was placed. */
        since: z.string(),
      })
      .nullable(),
    /** No stop can be placed at the broker: it refuses this one, or takes none for the kind. Only our own stop loss watches the position. */
    unprotected: z.boolean(),
  })
  .meta({ id: 'Position' });

export type Position = z.infer<typeof position>;

export const deployment = z
  .object({
    id: z.string(),
    strategy: z.string(),
    strategy_name: z.string(),
    /** Its owner wrote the rules: no performance fee. */
    is_own_strategy: z.boolean(),
    risk_level: z.enum(RISK_LEVELS),
    broker_connection: z.string(),
    /** practice: filled inside the product, nobody's money. paper: practice money at a broker. real: real money, as far as known. */
    mode: z.enum(['practice', 'paper', 'real']),
    /** Of a practice deployment: the one beside which it goes on, to compare. */
    shadow_of: z.string().nullable(),
    /** The practice deployment that goes on beside this one. */
    shadow: z.string().nullable(),
    status: deploymentStatus,
    /** What was requested and has not happened yet; null when status says it all. */
    requested_status: deploymentStatus.nullable(),
    /** Why it is in this status, as a sentence, where there is something to say. */
    status_reason: z.string().nullable(),
    /** Money of it waits for room in its strategy: see its place. */
    awaits_capacity: z.boolean(),
    /** Put in less taken out: below zero once more was withdrawn than was put in. */
    investment_amount: z.number(),
    /** Time-weighted, in percent since the start: what is added or withdrawn does not change it. */
    return_percent: z.number(),
    /** What was added since the start, or withdrawn below zero, with the market time of each; oldest first. */
    flows: z.array(z.object({ at: z.string(), amount: z.number() })),
    /** Money that is to be added or withdrawn and has not moved yet; null without such a request. */
    pending_flow: z
      .object({
        id: z.string(),
        kind: z.enum(FLOW_KINDS),
        amount: z.number(),
        /** Why it waits, as a sentence; null before the trader has looked at it. */
        reason: z.string().nullable(),
        requested_at: z.string(),
      })
      .nullable(),
    cash_balance: z.number(),
    /** cash_balance plus every position's current_value; also investment_amount + total_pnl + unrealized_pnl. */
    equity: z.number(),
    position_value: z.number(),
    unrealized_pnl: z.number(),
    /** Realised profit and loss, net of commissions. */
    total_pnl: z.number(),
    /** Orders of which something was filled. */
    total_trades: z.number().int(),
    ...closedCounts,
    /** Percent of closed trades with a result other than zero that made a profit; null when there are none. */
    win_rate: z.number().nullable(),
    open_positions: z.number().int(),
    positions: z.array(position),
    stop_loss_percentage: z.number(),
    max_allocation_per_trade: z.number(),
    /** Percent of drawdown at which new exposure stops; 0 is off. */
    freeze_on_drawdown: z.number(),
    /** What happens after the broker has been silent for disconnect_minutes, as soon as it responds again. */
    disconnect_choice: z.enum(DISCONNECT_CHOICES),
    /** Minutes of the market's clock; ignored for 'wait'. */
    disconnect_minutes: z.number().int(),
    /** What happens once its live returns have proved worse than its published record. */
    tripwire_choice: z.enum(TRIPWIRE_CHOICES),
    /** green: nothing shows that. amber: in doubt. red: worse, until its owner acknowledges it. */
    tripwire_state: z.enum(TRIPWIRE_STATES),
    /** Market time; null while it has always been green. */
    tripwire_since: z.string().nullable(),
    /** The connection that it trades over; null until trading has read it, and once the deployment has ended. */
    broker_session: brokerSession.nullable(),
    frozen_at: z.string().nullable(),
    freeze_lifted_at: z.string().nullable(),
    /** The highest equity since the start, or since the owner lifted a freeze: freeze_on_drawdown counts from here. */
    peak_equity: z.number(),
    /** While support has not decided on the owner's request; null without one. */
    liquidation_requested_at: z.string().nullable(),
    /** Real time, by which support decides on it. */
    liquidation_decide_by: z.string().nullable(),
    deployed_at: z.string(),
    days_active: z.number().int(),
    /** The market time of the prices. */
    as_of: z.string(),
  })
  .meta({ id: 'Deployment' });

export type Deployment = z.infer<typeof deployment>;

const percent = z.number('Give a number').min(0, 'Must be zero or more').max(100, 'Must be at most 100');
const disconnectPolicy = {
  disconnect_choice: z.enum(DISCONNECT_CHOICES, 'Choose wait, pause or close').optional(),
  disconnect_minutes: z
    .int('Must be a whole number of minutes')
    .min(0, 'Must be zero or more')
    .max(1_000_000, 'Too many minutes')
    .optional(),
};
const tripwireChoice = {
  tripwire_choice: z.enum(TRIPWIRE_CHOICES, 'Choose notify, exits_only or halve').optional(),
};
const createDeploymentBody = z
  .object({
    strategy: z.string('Choose a strategy').min(1, 'Choose a strategy').max(100),
    broker_connection: z.string('Connect a broker first').min(1, 'Connect a broker first').max(100),
    investment_amount: z
      .number('Enter the investment amount in dollars')
      .positive('The amount must be above zero')
      .max(1_000_000_000, 'The amount is too high'),
    stop_loss_percentage: percent,
    max_allocation_per_trade: percent,
    freeze_on_drawdown: percent,
    ...disconnectPolicy,
    ...tripwireChoice,
  })
  .meta({ id: 'CreateDeploymentRequest' });

const createPracticeBody = createDeploymentBody
  .omit({ broker_connection: true })
  .meta({ id: 'CreatePracticeDeploymentRequest' });
export type CreatePracticeRequest = z.infer<typeof createPracticeBody>;

const promoteBody = z
  .object({
    broker_connection: z.string('Connect a broker first').min(1, 'Connect a broker first').max(100),
    practice: z.enum(['shadow', 'end'], 'Choose shadow or end'),
  })
  .meta({ id: 'PromoteDeploymentRequest' });
export type CreateDeploymentRequest = z.infer<typeof createDeploymentBody>;

const settingsBody = z
  .object({
    stop_loss_percentage: percent.optional(),
    max_allocation_per_trade: percent.optional(),
    freeze_on_drawdown: percent.optional(),
    ...disconnectPolicy,
    ...tripwireChoice,
  })
  .meta({ id: 'DeploymentSettingsRequest' });

const item = { room: 'deployments', security: 'bearer', params: idParams, status: 200 } as const;
const confirmedItem = { ...item, confirms: 'second factor' } as const;
const create = {
  room: 'deployments',
  security: 'bearer',
  confirms: 'second factor',
  body: createDeploymentBody,
  status: 201,
  answer: deployment,
  refusals: DEPLOYING_REFUSALS,
  idempotent: true,
} as const;

export const deploymentsEndpoints = {
  ...placeEndpoints,
  listDeployments: endpoint(ROUTES.listDeployments, {
    room: 'deployments',
    summary: "The caller's deployments with their positions, newest first, all from one snapshot",
    description: 'Value, cash, positions and limits of each, at the same prices.',
    security: 'bearer',
    status: 200,
    answer: z.array(deployment),
    refusals: [],
  }),
  createDeployment: endpoint(ROUTES.createDeployment, {
    ...create,
    summary: 'Deploy a strategy',
    description:
      'Every check must pass: risk profile, suitability, eligibility, signed agreement, active connection to a broker that trades the market, and available cash. The first failed check is the code; details.gates lists all. The deployment is pending until the trader starts it. Where the strategy is full, it waits in a queue: see its place.',
  }),
  deployStrategy: endpoint(ROUTES.deployStrategy, {
    ...create,
    summary: 'Deploy a strategy: same as POST /api/deployments/',
    description: 'The same endpoint at its older address.',
  }),
  createPracticeDeployment: endpoint(ROUTES.createPracticeDeployment, {
    room: 'deployments',
    summary: 'Practise a strategy: practice money, no broker',
    description:
      'Needs a risk profile that fits the strategy, and no broker, plan or signature. Orders are filled inside the product from market quotes at the costs of a backtest, and reach no broker.',
    security: 'bearer',
    body: createPracticeBody,
    status: 201,
    answer: deployment,
    refusals: [
      'not_found',
      'below_minimum',
      'out_of_range',
      'risk_profile_missing',
      'unsuitable',
      'strategy_unavailable',
      'practice_limit',
    ],
    idempotent: true,
  }),
  promoteDeployment: endpoint(ROUTES.promoteDeployment, {
    ...confirmedItem,
    summary: 'Promote a practice deployment: trade the same strategy at a broker',
    description:
      'A new deployment with the same strategy, limits and amount; every check of a new deployment must pass. The practice deployment goes on as its shadow, or ends.',
    status: 201,
    body: promoteBody,
    answer: deployment,
    refusals: [...create.refusals, 'illegal_move'],
    idempotent: true,
  }),
  compareShadow,
  getDeployment: endpoint(ROUTES.getDeployment, {
    ...item,
    summary: 'One deployment with its positions, from one snapshot',
    description:
      'Value, cash, positions and limits as of one moment: equity is cash plus the value of every position.',
    answer: deployment,
    refusals: ['not_found'],
  }),
  changeDeployment: endpoint(ROUTES.changeDeployment, {
    ...confirmedItem,
    summary: 'Change the limits: same as settings',
    description: 'Same as changing its settings.',
    body: settingsBody,
    answer: deployment,
    refusals: ['not_found', 'illegal_move', 'out_of_range'],
  }),
  removeDeployment: endpoint(ROUTES.removeDeployment, {
    ...item,
    summary: 'Delete a deployment that never traded; stop any other instead',
    description: 'Records are kept for years: a deployment that has not started trading ends at once.',
    status: 204,
    answer: z.void(),
    refusals: ['not_found', 'illegal_move'],
  }),
  pauseDeployment: endpoint(ROUTES.pauseDeployment, {
    ...item,
    summary: 'Pause trading: no new orders are sent',
    description:
      'Open orders are cancelled and no new ones are sent; positions stay. requested_status is the status not yet applied.',
    answer: deployment,
    refusals: ['not_found', 'illegal_move'],
    idempotent: true,
  }),
  resumeDeployment: endpoint(ROUTES.resumeDeployment, {
    ...item,
    summary: 'Resume trading, if every check passes',
    description: 'Every check of a new deployment must pass again, except the available cash.',
    answer: deployment,
    refusals: [
      'not_found',
      'illegal_move',
      ...PERSON_REFUSALS,
      'connection_inactive',
      'market_unsupported',
      'plan_limit',
    ],
    idempotent: true,
  }),
  stopDeployment: endpoint(ROUTES.stopDeployment, {
    ...item,
    summary: 'Stop permanently: positions are sold, then the deployment closes',
    description: 'Sells all positions at the next opportunity and closes as stopped. This cannot be undone.',
    answer: deployment,
    refusals: ['not_found', 'illegal_move'],
    idempotent: true,
  }),
  liquidateDeployment: endpoint(ROUTES.liquidateDeployment, {
    ...confirmedItem,
    summary: 'Request a liquidation: once support approves, positions are sold and the deployment closes',
    description:
      'Records a request that support approves or declines, by liquidation_decide_by and with a reason. Until then you can withdraw it. Repeating it changes nothing.',
    answer: deployment,
    refusals: ['not_found', 'illegal_move'],
    idempotent: true,
  }),
  withdrawLiquidation: endpoint(ROUTES.withdrawLiquidation, {
    ...item,
    summary: 'Withdraw your request to liquidate',
    description: 'Until support has decided: trading goes on as before. Repeating it changes nothing.',
    answer: deployment,
    refusals: ['not_found', 'already_decided'],
  }),
  changeDeploymentSettings: endpoint(ROUTES.changeDeploymentSettings, {
    ...confirmedItem,
    summary: 'Change stop loss, max allocation, freeze, disconnect policy and tripwire',
    description:
      'Changes the fields sent. Stop loss 5 to 20, allocation 5 to 25, freeze 0 to 90 percent, where 0 is off; disconnect policy after 5 to 10080 minutes. An unchanged stored value is never refused.',
    body: settingsBody,
    answer: deployment,
    refusals: ['not_found', 'illegal_move', 'out_of_range'],
  }),
  acknowledgeTripwire: endpoint(ROUTES.acknowledgeTripwire, {
    ...item,
    summary: 'Acknowledge that its returns are worse than its published record',
    description:
      'Ends red: the deployment follows its strategy in full again from the next decision, and the comparison starts anew. Where it is not red, nothing changes.',
    answer: deployment,
    refusals: ['not_found', 'illegal_move'],
    idempotent: true,
  }),
  getDeploymentPerformance: endpoint(ROUTES.getDeploymentPerformance, {
    ...item,
    summary: 'Equity over time against the benchmark; the last point is current',
    description: 'One point a day, plus the newest value. The benchmark starts at the same value.',
    query: z.object({ timeframe: timeframeRange.default('1M').describe('How far back the series goes.') }),
    answer: benchmarkedSeries
      .extend({ benchmark_name: benchmarkName, as_of: z.string() })
      .meta({ id: 'DeploymentPerformance' }),
    refusals: ['not_found'],
  }),
  listDeploymentPositions: endpoint(ROUTES.listDeploymentPositions, {
    ...item,
    summary: 'Open positions',
    description: 'Quantity, prices, value and unrealized profit of each open position.',
    answer: z.array(position),
    refusals: ['not_found'],
  }),
  listDeploymentTrades: endpoint(ROUTES.listDeploymentTrades, {
    ...item,
    summary: 'Orders and their fills, newest first',
    description: 'What was ordered, what was filled at which price, and why.',
    query: z.object({
      limit: z.coerce.number().int().min(1).max(1000).default(500).describe('How many of the newest.'),
    }),
    answer: z.array(trade),
    refusals: ['not_found'],
  }),
  ...expectedRangeEndpoints,
  ...closedTradesEndpoints,
  ...cashLedgerEndpoints,
  ...returnBridgeEndpoints,
  ...flowsEndpoints,
  ...decisionsEndpoints,
} as const;
