// What staff read of an incident: its title, what happened and what it means for the money, and the next step. The runbook
// (`docs/operators/runbook.md`) has the rest.
import { standingRestrictionText } from './account-restriction.ts';
import { QUESTIONS } from './broker-question.ts';
import { taskName } from './status-reason.ts';
import type { FactsOf, IncidentFacts, IncidentKind } from '#engine/incidents/incident-kind.ts';

type IncidentText<Kind extends IncidentKind> = {
  readonly title: string;
  /** What it means for trading and money. */
  readonly what: string | ((facts: FactsOf<Kind>) => string);
  readonly next: string | ((facts: FactsOf<Kind>) => string);
};

/** How the database came to it. */
const RESTORED_BY = {
  timeline: 'they were restored, or a standby took over',
  cluster: 'they are on another server now',
  stated: 'somebody with access to the server said so',
} as const;

const TEXTS: { readonly [Kind in IncidentKind]: IncidentText<Kind> } = {
  exit_waits_for_stop: {
    title: 'Exit waits for a stop',
    what: 'An order that closes a position cannot leave: the broker has not confirmed that the protective stop of the position is cancelled. If both filled, the account would be short.',
    next: 'Look at the order list of the account at the broker, then decide about the stop.',
  },
  exit_waits_for_order: {
    title: 'Exit waits for an order',
    what: 'An order that closes a position cannot leave: the account has an order in the other direction, and the broker has not shown what became of it. The two could fill each other.',
    next: 'Look for that order at the broker and resolve it. The exit leaves at the next look.',
  },
  position_unprotected: {
    title: 'Position without its stop',
    what: 'The protective stop of this position could not be placed at the broker. Our own stop loss still watches it, as long as we can trade.',
    next: 'Read why the broker refused the stop. Try it again, or acknowledge it until a date once the client knows.',
  },
  order_unconfirmed: {
    title: 'Order unconfirmed',
    what: 'An order was sent and the broker has not shown what became of it. It is never sent again, and nothing else trades this instrument in its deployment.',
    next: 'Look for the order at the broker and resolve it. Many end by themselves with the session.',
  },
  order_failing: {
    title: 'Order cannot be processed',
    what: ({ task }) => `${orderTask(task)} fails again and again. Other orders are not affected.`,
    next: 'Read the message below, and look at the order at the broker.',
  },
  execution_held: {
    title: 'Fill not booked',
    what: 'The broker reported a fill that our books cannot take yet. Cash and positions of the deployment differ from the account until it is booked.',
    next: 'Most are booked once their order is confirmed. Propose an adjustment for one that is not.',
  },
  adjustment_failing: {
    title: 'Adjustment not booked',
    what: 'Two people agreed on an adjustment, and its booking fails. The books are unchanged.',
    next: 'Read the message below. Decline the adjustment if what it answers has changed.',
  },

  row_unread: {
    title: 'Row of the broker not read',
    what: 'The broker reported a row that we cannot read. It belongs to none of our orders and positions, so trading continues.',
    next: 'Compare the row with the account at the broker. If it is not ours, two people can ignore it.',
  },
  instrument_unsure: {
    title: 'Instrument on hold in an account',
    what: 'The broker reported a row that may be ours and that we cannot read. In this account this instrument waits until the row reads or is gone; only what closes a position leaves, as far as the broker shows the position.',
    next: 'Read the row, and look at the orders and fills of the instrument at the broker. If it is not ours, two people can ignore it.',
  },
  question_declined: {
    title: 'Question of the broker declined',
    what: ({ topic, instruments }) =>
      `The broker asks ${QUESTIONS[topic].about} before it takes an order. We do not answer that with yes for a client, so orders in ${instruments} ${instruments === 1 ? 'instrument were' : 'instruments were'} refused.`,
    next: ({ topic }) => QUESTIONS[topic].support,
  },

  account_restricted: {
    title: 'Account restricted',
    what: ({ restrictions }) =>
      `The broker says of the account: ${standingRestrictionText(restrictions)}. Orders that it does not take wait, and leave once it says so no more.`,
    next: 'Ask the client to settle it with the broker, or to switch trading on in the account there.',
  },
  cash_unexplained: {
    title: 'Cash differs',
    what: 'The cash of the account and our books differ by an amount that no booking explains.',
    next: 'Compare the cash statement of the account with its activity statement at the broker.',
  },
  position_unexplained: {
    title: 'Position differs',
    what: 'The account holds another quantity than our books and the known trades explain. No order is sent to close the difference.',
    next: 'Look at the trades of the instrument at the broker, then propose an adjustment.',
  },
  commission_missing: {
    title: 'Commission not reported',
    what: 'The broker has not reported the commission of a fill. An estimate is booked in the meantime.',
    next: 'Enter the figure of the broker’s confirmation. A second person approves it.',
  },

  connection_lost: {
    title: 'Broker does not respond',
    what: 'The broker does not answer for this account. No orders leave, stop losses included. Stops that work at the broker keep working.',
    next: 'Check the status page of the broker. If it is up, look at the other connections: a single one points to the account.',
  },
  connection_degraded: {
    title: 'Broker answers incompletely',
    what: 'The broker answers, but not completely enough to trade on. No orders leave, stop losses included.',
    next: 'Read the message below. If it names a row or a list, look at it at the broker.',
  },
  connection_sign_in_due: {
    title: 'Client must sign in',
    what: 'The broker no longer accepts our permission. No orders leave until the client connects again, stop losses included.',
    next: 'The client has been notified. Call if money is at risk.',
  },
  connection_competing: {
    title: 'Signed in elsewhere',
    what: 'The client is signed in at the broker somewhere else, and that session controls trading. No orders leave, stop losses included.',
    next: 'The client sees what to do. Call if it lasts and money is at risk.',
  },
  connection_read_only: {
    title: 'Account is read-only',
    what: 'We may read this account but not trade in it. No orders leave, stop losses included.',
    next: 'The client must allow trading at the broker and connect again.',
  },
  connection_failing: {
    title: 'Work at a connection fails',
    what: 'The broker answers, and our own work on its answers fails. Nothing is booked and no orders leave for this account.',
    next: 'This is a fault of ours. Give the message below to engineering now.',
  },
  penalty_box: {
    title: 'Broker has blocked our requests',
    what: ({ until }) =>
      `We asked the broker too often, and it answers us nothing until ${until.slice(11, 16)} UTC. No orders leave, stop losses included.`,
    next: 'Wait for the end of the block. If blocks repeat, see that no other program of ours uses the same address.',
  },

  tick_failing: {
    title: 'Trader fails',
    what: ({ task }) =>
      task === 'tick'
        ? 'The trader cannot complete its work. Orders and stop losses may not leave.'
        : 'A part of the trader’s work fails. The rest continues.',
    next: 'Read the message below: a feed or a database that is away must come back, all else is for engineering now.',
  },
  trader_silent: {
    title: 'Trader does not run',
    what: 'No trader has reported for a while. Nothing is decided, sent or booked. Stops that work at the broker keep working.',
    next: 'Start the trader, and read its log from its last line.',
  },
  deployment_failing: {
    title: 'Deployment fails',
    what: ({ task }) =>
      `The ${taskName(task)} of this deployment fails again and again. Others are not affected.`,
    next: 'Read the message below and give it to engineering.',
  },
  deployment_quarantined: {
    title: 'Deployment quarantined',
    what: ({ task }) =>
      `The ${taskName(task)} of this deployment failed five times in a row, so it is set aside. It does not trade, and its stop losses do not trigger. Its positions stay open.`,
    next: 'Tell the client. Two people release it once its cause is mended; stopping or liquidating it closes its positions.',
  },
  strategy_failing: {
    title: 'Strategy fails',
    what: 'A strategy cannot be evaluated, or its decision does not reach its deployments. They keep their positions.',
    next: 'Read the message below. Halt the strategy if it may decide wrongly.',
  },
  end_of_day_stuck: {
    title: 'End of day stuck',
    what: 'The end of a session cannot be processed: splits, dividends, swaps and expiries wait, and figures are not final.',
    next: 'Read the message below. A missing closing price must come from the feed.',
  },
  market_data_failing: {
    title: 'Prices do not arrive',
    what: 'The feed does not answer for this instrument. Strategies that read it wait, and its stop losses do not trigger.',
    next: 'Check the feed. Halt the strategies that hold it if it lasts.',
  },
  price_refused: {
    title: 'Price refused',
    what: 'The feed reported a price that cannot be right, so it was not used. Strategies that read the instrument wait for a plausible one.',
    next: 'Compare the price with another source. The feed must correct a wrong one.',
  },
  price_doubted: {
    title: 'Price doubted',
    what: 'Two feeds do not agree about this instrument, or one of them is silent or late. Nothing new is decided on it, and our own stop losses on it do not trigger; protective stops at brokers stay, and exits that a person asks for still leave.',
    next: 'Compare both with a third source, and have the feed that is wrong corrected.',
  },
  calendar_contradicted: {
    title: 'Calendar contradicted',
    what: 'The vendor’s calendar has another day than our rules. A closure and an early close are obeyed; a session that our rules do not know is not traded.',
    next: 'Ask the exchange. If the vendor is right, have the rules corrected.',
  },
  books_differ: {
    title: 'Books differ from their executions',
    what: ({ figures }) =>
      `A replay of the executions differs from ${figures} ${figures === 1 ? 'stored figure' : 'stored figures'} of this deployment. Its owner sees a wrong figure, and it trades on it.`,
    next: 'Halt the deployment, read the figures, and have them rebuilt by two people.',
  },
  invariant_broken: {
    title: 'Books contradict themselves',
    what: ({ violations }) =>
      `A check of the records found ${violations} ${violations === 1 ? 'row' : 'rows'} that must not exist. Figures that clients see may be wrong.`,
    next: 'Halt the clients concerned, run the check again, and give its output to engineering now.',
  },
  job_dead: {
    title: 'Background job failed for good',
    what: ({ job }) =>
      `A job of the queue ${job} failed on its last attempt. It does not run again by itself.`,
    next: 'Retry it when its cause is fixed, or discard it.',
  },
  payment_disputed: {
    title: 'Payment disputed',
    what: ({ dollars, because }) =>
      `A client asked their bank to take back $${dollars}; the bank says: ${because}. The payment service holds the money until the bank decides. Trading is not affected.`,
    next: ({ until }) =>
      `Answer the dispute at the payment service ${until === null ? 'before its deadline' : `by ${until.slice(0, 10)}, ${until.slice(11, 16)} UTC`}. Do not refund the payment as well.`,
  },
  payment_taken_back: {
    title: 'Payment taken back',
    what: ({ dollars, purpose }) =>
      `A dispute was lost: the bank of a client took back $${dollars}. ${takenBackText(purpose)}`,
    next: 'Find out why the client disputed it, and tell them what they owe. It is over once the fee is paid again, or two weeks after the loss of any other payment.',
  },
  liquidation_overdue: {
    title: 'Liquidation not decided in time',
    what: 'A client asked to liquidate a deployment, and the time by which support promised to decide has passed. Nothing is sold until two people decide; the client can withdraw the request or stop the deployment.',
    next: 'Decide the request now, with a reason if it is declined, and tell the client why it took so long.',
  },
  archive_failing: {
    title: 'Backups do not get the log',
    what: ({ segment }) =>
      `PostgreSQL cannot archive its log, from ${segment} on. Until it can, a restore loses what was written since, and the log fills the disk of the database.`,
    next: 'Look whether the place of the backups is full, away or not to be written.',
  },
  audit_unanchored: {
    title: 'Audit log not anchored',
    what: 'The end of the audit log could not be written to its file outside the database. The log itself continues.',
    next: 'Check the disk and the permissions of the data folder.',
  },
  audit_unsent: {
    title: 'Anchors of the audit log not sent',
    what: 'Signed anchors of the audit log could not be sent away. Their copies in the data folder continue.',
    next: 'Check the collector or the mail server that anchors are sent to.',
  },
  database_restored: {
    title: 'Database restored',
    what: ({ code, until }) =>
      `The records go on from an earlier moment${until === null ? '' : ` (the newest is of ${until.slice(0, 19).replace('T', ' ')} UTC)`}: ${RESTORED_BY[code]}. Each account is compared with its broker before anything is sent there. Everybody was signed out, and links in older mails no longer work.`,
    next: 'Read what the runbook lists: payments, keys and permissions that changed after that moment.',
  },
  audit_rewritten: {
    title: 'Audit log is not what was anchored',
    what: 'The audit log, or its anchors, differ from what was signed before. Somebody with access to the database or to the data folder has changed them, or an old copy was restored.',
    next: 'Keep the anchors that were sent away, hold them against the log, and find out who had access.',
  },
};

/** The texts of an incident as staff read them; `facts` are of its kind. */
export function incidentText({
  kind,
  facts,
}: {
  readonly kind: IncidentKind;
  readonly facts: IncidentFacts;
}): {
  readonly title: string;
  readonly what: string;
  readonly next: string;
} {
  const { title, what, next }: IncidentText<never> = TEXTS[kind];
  const textOf = (text: typeof what) => (typeof text === 'string' ? text : text(facts as never));
  return { title, what: textOf(what), next: textOf(next) };
}

function takenBackText(purpose: string | null): string {
  if (purpose === 'fee')
    return 'The fee bill is unpaid and due again, automatic payment is off, and the steps of an unpaid fee follow.';
  if (purpose === 'plan') return 'The plan that it paid has ended. Deployments keep running.';
  return 'It was no payment that we know.';
}

function orderTask(task: string): string {
  switch (task) {
    case 'sending':
      return 'Sending this order';
    case 'cancelling':
      return 'Cancelling this order';
    default:
      return 'Processing this order';
  }
}
