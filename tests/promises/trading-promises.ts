// What keeps the promises about trading, suitability, fees and plans.
import { informs, people, type Promised, test } from './kept-by.ts';

export const MANDATE: readonly Promised[] = [
  {
    says: ['nothing is traded and what is held stays, or everything is sold'],
    keptBy: test('tests/trading/deciding-models.test.ts', 'where a model %s, its rule does as signed'),
  },
  {
    says: ['It does not change while the deployment runs'],
    keptBy: test(
      'src/server/operations/next-version.test.ts',
      'the next version takes the rules of new deployments; one that runs keeps its own',
    ),
  },
  {
    says: ['leave in a rotation that takes turns', 'nobody’s are always early or always late'],
    keptBy: test('tests/followers-year/followers-year.test.ts', 'the year: capacity is never exceeded'),
  },
  {
    says: ['give us authority to place, change and cancel orders'],
    keptBy: test('src/engine/step.test.ts', 'never commits more cash than there is'),
  },
  {
    says: ['No trade builds a position larger', 'No position grows beyond'],
    keptBy: test('src/engine/step.test.ts', 'is cut to the allocation limit'),
  },
  {
    says: [
      'We cannot withdraw or transfer your money',
      'We do not hold your money',
      'We cannot withdraw them',
      'We never receive or pass on clients’ money',
      'Nothing is taken from your brokerage account',
    ],
    keptBy: test('tests/promises/promises.test.ts', 'no call to a broker moves money'),
  },
  {
    says: ['We never see the password of your brokerage account'],
    keptBy: test(
      'tests/promises/promises.test.ts',
      'no call of ours takes the password of a brokerage account',
    ),
  },
  {
    says: ['may revoke our access there at any time'],
    keptBy: test('src/server/brokerage/brokerage.test.ts', 'a permission that ends during a deployment'),
  },
  {
    says: ['You can add money to a deployment at any time', 'we sell what is needed first'],
    keptBy: test('tests/trading/flows.test.ts', 'a withdrawal of free cash is done at once'),
  },
  {
    says: ['pause a deployment or change its limits at any time', 'Pause a strategy at any time'],
    keptBy: test('tests/trading/limits-and-commands.test.ts', 'once a pause is written, no order leaves'),
  },
  {
    says: ['our support approves it before orders are placed'],
    keptBy: test('src/server/operations/operations-desk.test.ts', 'a liquidation takes two people'),
  },
  {
    says: [
      'we open no new exposure until you decide',
      'no new positions are opened until you resume trading',
      'trading would freeze at once',
    ],
    keptBy: test('tests/trading/limits-and-commands.test.ts', 'its owner ends a freeze'),
  },
  {
    says: [
      'Nothing new is opened until you acknowledge it',
      'From the next decision until you acknowledge it, each position is half',
      'nothing new is opened until you acknowledge it.',
      'each position is half of what the strategy asks for, from its next decision',
    ],
    keptBy: test(
      'tests/trading/tripwire.test.ts',
      'at its next decision the strategy gets what each owner left',
    ),
  },
  {
    says: ['Acknowledge it and the deployment follows its strategy in full again'],
    keptBy: test('tests/trading/tripwire.test.ts', 'red stays red in good days, and its owner ends it'),
  },
  {
    says: [
      'We compare each trading day with the days of the published record',
      'is ever called worse than it by bad luck',
      'nothing shows that it does worse',
      'No trading day has been compared yet',
    ],
    keptBy: test(
      'src/engine/expectation/expectation.test.ts',
      'calls at most 1 in 20 worse while the record holds',
    ),
  },
  {
    says: ['the published record would never have traded'],
    keptBy: test('src/results/expect-range.test.ts', 'where these terms would never have traded, it says so'),
  },
  {
    says: ['Trading never freezes automatically'],
    keptBy: test('src/engine/rebalance/revalue.test.ts', 'with the freeze off, no fall freezes'),
  },
  {
    says: [
      'They do not decide at what price',
      'Deploy only money',
      'Past results, hypothetical or real,',
      'Limits decide when we place an order',
      'decide when an order is sent, not the price',
      'You can lose more than a limit',
      'filled late, partly, at worse prices',
    ],
    keptBy: informs,
  },
  {
    says: ['exits leave first, then those that were decided first'],
    keptBy: test('src/engine/execution/orders/submit-result.test.ts', 'lets exits leave first'),
  },
  {
    says: [
      'No orders can be sent while your broker is not responding',
      'Once it responds, we reconcile everything',
    ],
    keptBy: test('src/engine/lifecycle/disconnect-policy.test.ts', 'a silence shorter than the chosen one'),
  },
  {
    says: [
      'trading is paused once it is back',
      'all positions are sold and the deployment closes once it is back',
    ],
    keptBy: test('src/engine/lifecycle/disconnect-policy.test.ts', 'a pause applies to active deployments'),
  },
];

export const SUITABILITY: readonly Promised[] = [
  {
    says: [
      'you may deploy only strategies whose score',
      'A client may only invest in strategies whose score',
    ],
    keptBy: test(
      'src/server/suitability/suitability.test.ts',
      'a deployment that was advised against is not made',
    ),
  },
  {
    says: ['You confirm that you are at least', 'Our clients reside in', 'To invest you must be'],
    keptBy: test('src/rules/eligibility/check-eligibility.test.ts', 'lets an adult resident'),
  },
  { says: ['You tell us at once when this changes', 'We rely on'], keptBy: informs },
  {
    says: ['We identify each client before an agreement is signed'],
    keptBy: test('src/server/suitability/suitability.test.ts', 'each decision on eligibility is kept'),
  },
  {
    says: ['where none is, the record says “not checked”'],
    keptBy: test('tests/e-signature/identity-check.test.ts', 'without a service nobody is checked'),
  },
  {
    says: ['can halt a client’s trading at once'],
    keptBy: test('src/server/operations/kill-switches.test.ts', 'over a socket, no order is sent later'),
  },
];

export const FEES: readonly Promised[] = [
  {
    says: [
      'no management fee and no retainer',
      'No management fee, no retainer',
      'There is no management or retainer fee',
      'The fee is performance only',
      'The fee is due only on profit above the high-water mark',
      'A performance fee of …% of profit',
    ],
    keptBy: test('src/rules/fees/fee-accrual.test.ts', 'asks for nothing below the mark'),
  },
  {
    says: ['You never pay twice for a recovery'],
    keptBy: test('src/rules/fees/fee-bill.test.ts', 'let a deposit under water'),
  },
  {
    says: ['an open profit is not billed until it is realized', 'When a deployment ends, nothing is open'],
    keptBy: test('src/rules/fees/fee-bill.test.ts', 'are the same whatever is added and withdrawn'),
  },
  {
    says: [
      'Money that you add or withdraw is neither profit nor loss',
      'Withdrawing is no reason for a fee by itself',
    ],
    keptBy: test(
      'src/rules/fees/performance-fee.test.ts',
      'is, after any series of flows, what it is without them',
    ),
  },
  {
    says: ['can lower it, and never raises it'],
    keptBy: test('src/rules/fees/fee-correction.test.ts', 'never asks for more'),
  },
  {
    says: ['It is due within … days', 'The fee is billed weekly or monthly'],
    keptBy: test('src/rules/fees/fee-period.test.ts', 'is due five days after the end'),
  },
  {
    says: ['It is paid when it falls due'],
    keptBy: test('src/server/fees/unpaid-fees.test.ts', 'a bill is paid by itself when it falls due'),
  },
  {
    says: ['When it stays unpaid we remind you', 'After … days we open no new exposure until it is paid'],
    keptBy: test('src/server/fees/unpaid-fees.test.ts', 'is reminded of at each step once'),
  },
  {
    says: ['After … days we may close your account', 'a fee stays unpaid'],
    keptBy: test('src/processes/staff/staff-fees.test.ts', 'support proposes to close the account'),
  },
  {
    says: ['we charge it only if you are one of them', 'In the United States only qualified clients pay it'],
    keptBy: test('src/trader/fees/charged-clients.test.ts', 'a client in the United States pays nothing'),
  },
  {
    says: [
      'are not ours and are yours to pay',
      'rewards us for gains',
      'Fees on profit made until then remain due',
    ],
    keptBy: informs,
  },
  {
    says: ['You pay them, and the results that we show include them'],
    keptBy: test(
      'src/engine/portfolio/apply-fill.test.ts',
      'moves cash into holdings and the commission out',
    ),
  },
  {
    says: ['receive no payment from brokers', 'Brokers pay us nothing'],
    keptBy: people('The compliance officer: no contract with a broker pays for orders.'),
  },
  {
    says: ['Using this software costs nothing'],
    keptBy: test(
      'src/rules/eligibility/qualified-client.test.ts',
      'charges nobody who runs the product for themselves',
    ),
  },
  {
    says: ['Stopping the software sells nothing either'],
    keptBy: test('src/trader/execution/protective-stops.test.ts', 'a pause keeps the working stop'),
  },
];

export const PLANS: readonly Promised[] = [
  {
    says: ['does not include the custom strategy builder'],
    keptBy: test(
      'src/server/billing/billing.test.ts',
      'when a plan is required, a user without one is held to the free plan',
    ),
  },
  {
    says: ['Practise it, which needs no plan'],
    keptBy: test(
      'src/server/deployments/practice.test.ts',
      'a person practises without a broker, a plan or a signature',
    ),
  },
  {
    says: ['The Free plan starts today', 'The Free plan costs nothing'],
    keptBy: test('src/server/billing/billing.test.ts', 'the free plan costs nothing'),
  },
  {
    says: ['kept as credit; it is not paid out'],
    keptBy: test(
      'src/rules/billing/plan-period.test.ts',
      'to a cheaper plan charges nothing and keeps the rest as credit',
    ),
  },
  {
    says: ['You can cancel at any time'],
    keptBy: test('src/server/billing/billing.test.ts', 'cancelling keeps the plan until its period ends'),
  },
];
