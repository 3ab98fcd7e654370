// Which acts of a key wait for its owner, which are never done, and the sentences that say so.
import { dollars } from '../dollars.ts';
import { type Micro, ZERO_MICRO } from '#units/money.ts';
import { type KeyScope, KEY_MARK } from './key-terms.ts';

/** What a key asks for: a call of the contract on practice or real money. */
export type KeyAct = {
  readonly call: string;
  /** Of the deployment that it steers or makes; null where there is none. */
  readonly mode: 'practice' | 'real' | null;
  /** Money that it adds to what the key holds. */
  readonly amount: Micro;
  readonly isWithdrawal: boolean;
};

/** What only takes risk away, or takes back what was asked for: done at once, with real money too. */
const AT_ONCE: ReadonlySet<string> = new Set(['pauseDeployment', 'cancelFlow']);
const ALWAYS_WAITS: ReadonlySet<string> = new Set(['liquidateDeployment', 'requestFlow']);

/** Real money, a liquidation, a higher amount: the person decides. */
export function waitsForOwner({ call, mode }: KeyAct): boolean {
  return ALWAYS_WAITS.has(call) || (mode === 'real' && !AT_ONCE.has(call));
}

export function neededScope({ mode }: KeyAct): KeyScope {
  return mode === 'real' ? 'trade' : 'practice';
}

export const KEY_SENTENCES = {
  never: 'No API key may make this call. Sign in and do it yourself.',
  withdrawal: 'No API key may withdraw money. Sign in and do it yourself.',
  foreign: 'This API key controls only the deployments that it made and those that you listed for it.',
  revoked: 'This API key is revoked, or does not control this.',
  beyondBudget:
    'This is more than the budget of the API key: all its deployments together may hold no more than that.',
  tooManyWaiting: 'Too many acts of this API key wait for their owner. Wait for a decision.',
} as const;

export function missingScopeText(scope: KeyScope): string {
  return `This API key needs the scope ${scope} for this call.`;
}

export function dayLimitText(perDay: number): string {
  return `This API key has made its ${perDay} ${perDay === 1 ? 'act' : 'acts'} of today (UTC). It may act again tomorrow.`;
}

export function budgetText(budget: Micro): string {
  return `This is more than the budget of the API key: all its deployments together may hold ${dollars(budget)}.`;
}

export function waitsText(hours: number): string {
  return `This waits for the owner of the API key, who has ${hours} hours to accept or decline it. Nothing happened yet.`;
}

type Asked = Pick<KeyAct, 'call' | 'amount'> & { readonly strategyName: string | null };

/** The act as its owner reads it, without a full stop: "Deploy $10,000 in Calm Trend at your broker". */
export function actText({ call, amount, strategyName }: Asked): string {
  const money = amount > ZERO_MICRO ? dollars(amount) : 'money';
  const name = strategyName ?? 'a strategy';
  const words = WORDS[call];
  return words === undefined ? `Make the call ${call}` : words(name, money);
}

const WORDS: Readonly<Record<string, ((name: string, money: string) => string) | undefined>> = {
  createDeployment: (name, money) => `Deploy ${money} in ${name} at your broker`,
  deployStrategy: (name, money) => `Deploy ${money} in ${name} at your broker`,
  promoteDeployment: (name, money) => `Promote ${name} from practice to your broker with ${money}`,
  createPracticeDeployment: (name, money) => `Practise ${name} with ${money} of practice money`,
  requestFlow: (name, money) => `Add ${money} to ${name}`,
  cancelFlow: (name) => `Cancel a deposit or withdrawal of ${name}`,
  changeDeployment: (name) => `Change the limits of ${name}`,
  changeDeploymentSettings: (name) => `Change the limits of ${name}`,
  removeDeployment: (name) => `Remove ${name}, which has not traded`,
  pauseDeployment: (name) => `Pause ${name}`,
  resumeDeployment: (name) => `Resume ${name}`,
  stopDeployment: (name) => `Stop ${name} and sell its positions`,
  liquidateDeployment: (name) => `Ask support to liquidate ${name}`,
  withdrawLiquidation: (name) => `Withdraw the request to liquidate ${name}`,
  acknowledgeTripwire: (name) => `Let ${name} trade in full again although it does worse than its record`,
  createStrategy: () => 'Save a draft of a strategy',
  changeStrategy: () => 'Change a draft of a strategy',
  removeStrategy: () => 'Remove a draft of a strategy',
  buildStrategy: () => 'Build a strategy from a description',
  tuneStrategy: () => 'Tune a draft of a strategy',
  createBacktest: () => 'Run a backtest',
  cancelBacktest: () => 'Cancel a backtest',
  watchStrategy: () => 'Watch a strategy',
  unwatchStrategy: () => 'Stop watching a strategy',
};

/** Whether a bearer token looks like one of ours. */
export function isKeyShaped(token: string): boolean {
  return token.startsWith(KEY_MARK);
}
