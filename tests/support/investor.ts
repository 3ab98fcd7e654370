// A person who may deploy, made over HTTP by the calls that a browser makes.
import { approveAtSandboxBrokerage } from '../../src/processes/demo-world/demo-account/approve-at-sandbox-brokerage.ts';
import { type Person, signIn } from '../../src/processes/demo-world/demo-account/person.ts';
import { signAgreement } from '../../src/processes/demo-world/demo-account/sign-agreement.ts';

export type Investor = Person & { readonly connectionId: string };

type GiveAccess = (authorizeUrl: string, email: string) => Promise<void>;

/** Registers, answers the questionnaire, signs and connects an account of their own, by default at the sandbox brokerage. */
export async function makeInvestor(
  baseUrl: string,
  email: string,
  giveAccess: GiveAccess = openPracticeAccount,
  /** The first that is available, unless one is named. */
  named?: string,
): Promise<Investor> {
  const person = await signIn(baseUrl, { email, password: INVESTOR_PASSWORD, firstName: 'Ivo' });
  await qualify(person);
  const brokers = await person.call<{ id: string; status: string }[]>('GET', '/api/brokers/');
  const broker = brokers.find(({ id, status }) =>
    named === undefined ? status === 'available' : id === named,
  );
  const begun = await person.call<{ id: string; authorize_url: string }>('POST', '/api/broker-connections/', {
    broker: broker?.id,
  });
  await giveAccess(begun.authorize_url, email);
  return { ...person, connectionId: begun.id };
}

/** Answers the questionnaire and signs. */
export async function qualify(person: Person): Promise<void> {
  await person.call('PATCH', '/api/auth/me/', { date_of_birth: '1979-11-03', country: 'CH' });
  await person.call('POST', '/api/risk-assessment/', {
    questionnaire_responses: Object.fromEntries(
      Object.entries(BOLD_ANSWERS).map(([question, value]) => [question, { value }]),
    ),
  });
  await signAgreement(person, 'Ivo Investor');
}

export async function signInAgain(baseUrl: string, email: string): Promise<Person> {
  return signIn(baseUrl, { email, password: INVESTOR_PASSWORD, firstName: 'Ivo' });
}

export async function deploy(
  investor: Investor,
  strategyName: string,
  terms: { amount: number; stopLoss?: number; maxAllocation?: number; freeze?: number },
): Promise<string> {
  const strategies = await investor.call<{ id: string; name: string }[]>('GET', '/api/strategies/');
  const strategy = strategies.find(({ name }) => name === strategyName);
  if (strategy === undefined)
    throw new Error(
      `no strategy is called ${strategyName}: ${strategies.map(({ name }) => name).join(', ')}`,
    );
  const { id } = await investor.call<{ id: string }>('POST', '/api/deployments/', {
    strategy: strategy.id,
    broker_connection: investor.connectionId,
    investment_amount: terms.amount,
    stop_loss_percentage: terms.stopLoss ?? 20,
    max_allocation_per_trade: terms.maxAllocation ?? 50,
    freeze_on_drawdown: terms.freeze ?? 50,
  });
  return id;
}

/** The brokerage's form for newcomers creates the account; then they approve like all other users. */
async function openPracticeAccount(authorizeUrl: string, email: string): Promise<void> {
  const userName = email.replace(/\W/g, '').slice(0, 20);
  const page = new URL(authorizeUrl);
  await fetch(new URL('/authorize/open-account', page), {
    method: 'POST',
    body: new URLSearchParams({
      oauth_token: page.searchParams.get('oauth_token') ?? '',
      redirect_uri: page.searchParams.get('redirect_uri') ?? '',
      user_name: userName,
      password: INVESTOR_PASSWORD,
    }),
    redirect: 'manual',
  });
  await approveAtSandboxBrokerage(authorizeUrl, { userName, password: INVESTOR_PASSWORD });
}

export const INVESTOR_PASSWORD = 'a steady hand 42';

const BOLD_ANSWERS = {
  investment_experience: 'advanced',
  investment_objective: 'speculation',
  time_horizon: 'long_term',
  risk_tolerance: 'buy_more',
  financial_situation: 'growing',
  portfolio_allocation: 'small_portion',
};
