// The sections of the investment agreement, in order. Figures come from the business constants of the product
// (spec section 9), so that the wording and the rule cannot drift apart.
import { feeExampleText } from '../fees/fee-example.ts';
import {
  BILLING_TERM,
  CORRECTION_TERM,
  HIGH_WATER_MARK_TERM,
  SETTLED_PROFIT_TERM,
} from '../fees/fee-terms.ts';
import { UNPAID_DAYS } from '../fees/unpaid-fee.ts';
import { FEE_DUE_DAYS, PERFORMANCE_FEE_PERCENT } from '../fees/performance-fee.ts';
import { MINIMUM_AGE } from '../eligibility/age.ts';
import { COUNTRY_NAMES, ELIGIBLE_COUNTRIES } from '../eligibility/countries.ts';
import type { Provider } from '../provider.ts';
import { SIGNING_NOTICE_DAYS } from './agreement-versions.ts';

export type Section = {
  readonly heading: string;
  readonly paragraphs: (provider: Provider) => readonly string[];
};

/** Spec section 9, business and legal. */
const RECORD_YEARS = 5;
const PRICE_DELAY_MINUTES = 15;
const COUNTRIES = ELIGIBLE_COUNTRIES.map((code) => COUNTRY_NAMES[code]).join(', ');

const APPOINTMENT: Section = {
  heading: 'What you ask us to do: automated trading on your behalf',
  paragraphs: () => [
    'For each strategy that you deploy, you give us authority to place, change and cancel orders in your brokerage account, without asking you before each order, within the amount that you deploy and the limits that you set: stop loss, maximum allocation per trade, and the drawdown at which trading freezes.',
    'This authority ends there. We cannot withdraw or transfer your money or securities, we do not hold them, and we never see the password of your brokerage account. You sign in at your broker’s own page and may revoke our access there at any time.',
    'You can add money to a deployment at any time, or withdraw some: it stays in your brokerage account, and only what we may trade with changes. If too little of it is in cash, we sell what is needed first.',
    'You can pause a deployment or change its limits at any time. Pausing stops new orders; it does not sell what you hold. Selling everything that a deployment holds is a liquidation: you request it, and our support approves it before orders are placed.',
    'A strategy is a set of published rules that is evaluated once for all clients who deployed it. Several clients may therefore trade in the same direction at the same time, and your prices may differ from theirs and from the prices at which the rules decided.',
  ],
};

/** Which of the two ways it is stands in the definition of each strategy. */
export const MODEL_DECIDES_TERM =
  'Some strategies are decided by a model, which is asked at each decision. What happens when it gives no answer in time is fixed in the strategy as one of two ways, which we show you before you deploy it: nothing is traded and what is held stays, or everything is sold, in both cases until the next answer. By deploying the strategy you choose its way. It does not change while the deployment runs, and your limits and stops hold without the model.';

export const LIMITS: Section = {
  heading: 'What your limits can and cannot do',
  paragraphs: () => [
    'The stop loss is measured for each position from its average cost. The maximum allocation caps the position that one order may build, as a share of the deployment’s value. When the value of a deployment falls from its highest point by the freeze percentage, we open no new exposure until you decide.',
    'Limits decide when we place an order. They do not decide at what price, or whether, the market accepts it. Prices can jump past a limit, markets close, orders can be refused, and connections fail. You can lose more than a limit suggests.',
    MODEL_DECIDES_TERM,
  ],
};

const SUITABILITY: Section = {
  heading: 'Who may invest, and in what',
  paragraphs: () => [
    `You confirm that you are at least ${MINIMUM_AGE} years old, that you reside in one of the countries whose residents we may serve (${COUNTRIES}), and that the brokerage account is yours. You tell us at once when this changes.`,
    'Every strategy has a risk score from 1 (least risky) to 5. Your answers to our questionnaire give you a score on the same scale, and you may deploy only strategies whose score is at or below yours. We rely on your answers: please keep them true and update them when your situation changes.',
  ],
};

export const RISK: Section = {
  heading: 'Risk disclosure',
  paragraphs: () => [
    'Investing puts your money at risk. You may lose part of what you deploy or all of it. With borrowed money, short positions, currencies, futures or options you may lose more than you deployed and owe your broker the difference. Deploy only money that you can afford to lose.',
    'Results shown for a strategy before the day you deploy it are hypothetical: they come from applying its rules to past prices. They were made with hindsight, no money was at risk, and real orders have costs, delays and prices that a calculation only estimates. Past results, hypothetical or real, do not tell you what you will earn. We promise no return.',
    'Models can be wrong, can stop working when markets change, and can lose for a long time. Software, data, brokers and networks can fail at the moment when you need them. Some markets are thin, some never close, and laws and taxes change.',
    'The accounts may be in a currency other than yours, so exchange rates add their own gains and losses. Your broker has its own requirements, such as minimum balances and margin, and may close positions without asking you or us.',
    `Prices that we show for your account may be up to ${PRICE_DELAY_MINUTES} minutes late. Your broker’s statement, not our screen, is the record of what you own.`,
  ],
};

const FEES: Section = {
  heading: 'Fee and payment terms',
  paragraphs: () => [
    `We charge a performance fee of ${PERFORMANCE_FEE_PERCENT}% of profit: no management fee and no retainer. A subscription plan, if you choose a paid one, costs what is shown before you confirm it. Your broker’s commissions, interest, exchange fees and your taxes are not ours and are yours to pay.`,
    SETTLED_PROFIT_TERM,
    HIGH_WATER_MARK_TERM,
    feeExampleText(),
    'You pay each invoice by separate payment. Nothing is taken from your brokerage account, so a fee does not change the value of the deployment.',
    `${BILLING_TERM} ${CORRECTION_TERM} Each invoice shows the figures it is made of, so that you can compute it again. It is due within ${FEE_DUE_DAYS} days. It is paid when it falls due, by the means of payment that you gave us, unless you choose to pay each invoice yourself. When it stays unpaid we remind you on the due date and after ${UNPAID_DAYS.reminded} days. After ${UNPAID_DAYS.stopped} days we open no new exposure until it is paid. After ${UNPAID_DAYS.closable} days we may close your account with us and stop executing strategies. Closing does not sell what you hold.`,
    'Where the law of your country permits such a fee only for certain clients, we charge it only if you are one of them.',
  ],
};

const DATA: Section = {
  heading: 'Data usage and privacy',
  paragraphs: (provider) => [
    'We use your name, e-mail address, date of birth, country of residence and questionnaire answers to know who you are and what suits you; your brokerage account’s number, balances, positions, orders and fills to trade and to show you what happened; and technical data such as network address and browser to keep the service secure and to prove what was signed.',
    'We give your data to your broker as far as orders require it, to those who process payments, mail or signatures for us, and to authorities when the law requires it. We do not sell it and do not use it for advertising.',
    `We keep records of advice, orders, fees and this agreement for at least ${RECORD_YEARS} years, as the law requires, and other data no longer than we need it. You may ask what we hold about you, have it corrected, and have deleted what we are not obliged to keep: write to ${provider.contactEmail}.`,
  ],
};

const CONFLICTS: Section = {
  heading: 'Our interests',
  paragraphs: () => [
    'A performance fee rewards us for gains and does not charge us for losses, which can favour risk. The high-water mark, your limits and the risk scores are there to hold that in check. We receive no payment from brokers for your orders.',
  ],
};

const ELECTRONIC: Section = {
  heading: 'Signing and notices in electronic form',
  paragraphs: (provider) => [
    'You sign by typing your name and pressing a button. We then seal the document, so that any later change to it shows, together with a record of when and how it was signed. The sealed document is yours to open and keep at any time while you have an account.',
    `We send notices to you in the product and by e-mail. You need a device with a current browser and a program that opens PDF files. You may ask for paper copies, or withdraw your consent to electronic form for the future, by writing to ${provider.contactEmail}; we may then have to end this agreement.`,
  ],
};

const ENDING: Section = {
  heading: 'Changing and ending this agreement',
  paragraphs: () => [
    'You may end this agreement at any time, without reason, by stopping your deployments and telling us. We may end it with 30 days’ notice, and at once where the law, your broker or an unpaid fee requires it. Fees on profit made until then remain due.',
    'When the wording changes we tell you what is different and ask you to sign again. Until you do, the wording that you signed holds for the deployments that run, and you cannot start, resume or promote a deployment.',
    `We may name a day by which you must sign, at least ${SIGNING_NOTICE_DAYS} days ahead. After it we open nothing new for you until you sign. What you hold is protected and closed as before.`,
  ],
};

const LIABILITY: Section = {
  heading: 'Our responsibility',
  paragraphs: () => [
    'We act with the care and skill of a diligent adviser and in your interest. We are not responsible for losses that come from the movement of markets, from the acts of your broker, or from failures beyond our control. Nothing in this agreement limits our responsibility for fraud, wilful misconduct or gross negligence, or where the law does not allow it to be limited.',
  ],
};

const LAW: Section = {
  heading: 'Governing law and disputes',
  paragraphs: (provider) => [
    `If something is wrong, write to ${provider.complaintsEmail} first; we answer complaints in writing.`,
    `This agreement is governed by the law of ${provider.governingLaw}, and its courts in Johannesburg decide disputes. As far as the law allows, both parties waive trial by jury. Rights that the law of the country where you live gives you as a consumer, and that cannot be waived, remain yours.`,
    'If one provision is invalid, the others remain in force.',
  ],
};

export const AGREEMENT_SECTIONS: readonly Section[] = [
  APPOINTMENT,
  LIMITS,
  SUITABILITY,
  RISK,
  FEES,
  DATA,
  CONFLICTS,
  ELECTRONIC,
  ENDING,
  LIABILITY,
  LAW,
];
