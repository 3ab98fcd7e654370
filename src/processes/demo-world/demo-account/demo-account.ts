// The demo account: a user who did everything but register through the product's own API, and whose weeks of history come from the
// trader trading them. Every step first checks whether it is done, so that an interrupted start resumes.
import { session } from '#engine/market/calendar.ts';
import type { CalendarId } from '#engine/market/instrument.ts';
import type { MarketDataFeed } from '#ports/market-data.ts';
import type { Trader } from '#trader/trader.ts';
import { addDays, type Instant, isoText, MINUTE_MS, parseInstant, utcDate } from '#units/instant.ts';
import { approveAtSandboxBrokerage } from './approve-at-sandbox-brokerage.ts';
import { DEMO_EMAIL, DEMO_PASSWORD } from './demo-user.ts';
import { type Person, signIn } from './person.ts';
import { signAgreement } from './sign-agreement.ts';

/** Each takes a second at most. */
const LOOKS_MAX = 60;

/** How long the demo account has been investing when a newcomer first sees it. */
const HISTORY_DAYS = 42;

type DemoTools = {
  readonly baseUrl: string;
  readonly marketData: MarketDataFeed;
  readonly marketFeedUrl: string;
  readonly trader: Trader;
  readonly say: (line: string) => void;
  /** When clients do not sign in at the broker: links an account there to the demo account. */
  readonly linkAccount?: (email: string) => Promise<void>;
};

export async function makeDemoAccount(tools: DemoTools): Promise<void> {
  const person = await signIn(tools.baseUrl, {
    email: DEMO_EMAIL,
    password: DEMO_PASSWORD,
    firstName: 'Demo',
  });
  if ((await listDeployments(person)).length === 0) {
    await qualify(person);
    await person.call('POST', '/api/eligibility/qualified_client/', { basis: 'net_worth', agrees: true });
    await signAgreement(person, 'Demo Investor');
    await tools.linkAccount?.(DEMO_EMAIL);
    const connection = await connectBroker(person);
    await deploy(person, connection, tools.say);
  }
  await choosePlan(person);
  await tradeHistory(person, tools);
}

async function qualify(person: Person): Promise<void> {
  await person.call('PATCH', '/api/auth/me/', { date_of_birth: '1984-06-12', country: 'US' });
  if ((await person.find('/api/risk-assessment/')) !== null) return;
  const answers = {
    investment_experience: 'advanced',
    investment_objective: 'speculation',
    time_horizon: 'long_term',
    risk_tolerance: 'buy_more',
    financial_situation: 'growing',
    portfolio_allocation: 'small_portion',
  };
  await person.call('POST', '/api/risk-assessment/', {
    questionnaire_responses: Object.fromEntries(
      Object.entries(answers).map(([question, value]) => [question, { value }]),
    ),
  });
}

async function connectBroker(person: Person): Promise<string> {
  const known = await person.call<{ id: string; connection_status: string }[]>(
    'GET',
    '/api/broker-connections/',
  );
  const active = known.find((connection) => connection.connection_status === 'active');
  if (active !== undefined) return active.id;
  const brokers = await person.call<{ id: string; status: string }[]>('GET', '/api/brokers/');
  const broker = brokers.find((one) => one.status === 'available');
  if (broker === undefined) throw new Error('no broker can be connected');
  const begun = await person.call<{ id: string; authorize_url: string }>('POST', '/api/broker-connections/', {
    broker: broker.id,
  });
  await approveAtSandboxBrokerage(begun.authorize_url, { userName: 'demo', password: 'demo' });
  const readStatus = () =>
    person.call<{ connection_status: string; failure_reason: string | null }>('GET', '/api/ibkr-status/');
  let status = await readStatus();
  // Each look waits a moment for the trader, which lists the account.
  for (let look = 1; status.connection_status === 'pending' && look < LOOKS_MAX; look++)
    status = await readStatus();
  if (status.connection_status !== 'active')
    throw new Error(`the sandbox broker was not connected: ${status.failure_reason}`);
  return begun.id;
}

/** The plan that covers what the demo account deployed, so that its caps can be seen. */
async function choosePlan(person: Person): Promise<void> {
  const { subscription } = await person.call<{ subscription: object | null }>('GET', '/api/billing/');
  if (subscription !== null) return;
  const choice = { plan: 'pro', interval: 'monthly' };
  await person.call('POST', '/api/billing/plan/', choice, { 'idempotency-key': 'demo-plan' });
}

type ListedStrategy = {
  id: string;
  name: string;
  asset_class: string;
  is_featured: boolean;
  min_investment: number;
};

/** One featured strategy of each kind of market, and a second one in shares. */
async function deploy(person: Person, connection: string, say: DemoTools['say']): Promise<void> {
  const strategies = await person.call<ListedStrategy[]>('GET', '/api/strategies/');
  const featured = strategies.filter((strategy) => strategy.is_featured);
  const chosen = [
    ...featured.filter((strategy) => strategy.asset_class === 'equity').slice(0, 3),
    ...['forex', 'crypto'].flatMap(
      (kind) => featured.find((strategy) => strategy.asset_class === kind) ?? [],
    ),
  ];
  for (const [index, strategy] of chosen.entries()) {
    await person.call(
      'POST',
      '/api/deployments/',
      {
        strategy: strategy.id,
        broker_connection: connection,
        investment_amount: Math.max(strategy.min_investment, 10_000 + 5_000 * (index % 3)),
        stop_loss_percentage: 15,
        max_allocation_per_trade: 40,
        freeze_on_drawdown: 25,
      },
      { 'idempotency-key': `demo-${strategy.id}` },
    );
    say(`  the demo account deployed ${strategy.name}`);
  }
}

type DemoDeployment = { id: string; deployed_at: string };

function listDeployments(person: Person): Promise<DemoDeployment[]> {
  return person.call<DemoDeployment[]>('GET', '/api/deployments/');
}

/** Makes the trader trade the weeks since the first deployment, session by session, faster than the clock. */
async function tradeHistory(person: Person, tools: DemoTools): Promise<void> {
  const first = (await listDeployments(person))
    .map(({ deployed_at }) => parseInstant(deployed_at))
    .sort((a, b) => a - b)[0];
  if (first === undefined) return;
  const until = parseInstant(`${addDays(utcDate(first), HISTORY_DAYS)}T12:00:00Z`);
  const now = await marketNow(tools);
  if (now >= until) return;
  tools.say('Trading six weeks for the demo account…');
  // Only the stops move the market: a slow machine trades the same weeks.
  await moveClock(tools, { pause: true });
  try {
    for (const stop of stopsBetween(now, until)) {
      await moveClock(tools, { to: isoText(stop) });
      await tools.trader.tick();
    }
    // Orders from the last stop may have filled at once.
    await tools.trader.tick();
  } finally {
    await moveClock(tools, { resume: true });
  }
}

async function marketNow({ marketData }: DemoTools): Promise<Instant> {
  const clock = await marketData.clock();
  if (!clock.ok) throw new Error(`the market feed: ${clock.message}`);
  return clock.value.now;
}

/** Just after each opening and each close of every calendar, and once in the middle of a share session. */
function stopsBetween(from: Instant, until: Instant): Instant[] {
  const stops = new Set<number>([until]);
  const calendars: readonly CalendarId[] = ['us-equity', 'forex', 'crypto'];
  for (let date = addDays(utcDate(from), -1); date <= utcDate(until); date = addDays(date, 1)) {
    for (const calendar of calendars) {
      const found = session(calendar, date);
      if (found === null) continue;
      stops.add(found.opensAt + 2 * MINUTE_MS).add(found.closesAt + 2 * MINUTE_MS);
    }
  }
  return [...stops].filter((at) => at > from && at <= until).sort((a, b) => a - b) as Instant[];
}

type ClockMove = { readonly to: string } | { readonly pause: true } | { readonly resume: true };

async function moveClock({ marketFeedUrl }: DemoTools, move: ClockMove): Promise<void> {
  const answer = await fetch(`${marketFeedUrl}/market/clock/advance`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify(move),
  });
  // Already past: a seconds-long day passed between the look at the clock and its pause.
  if (!answer.ok && answer.status !== 409)
    throw new Error(`the sandbox clock: ${answer.status} ${await answer.text()}`);
}
