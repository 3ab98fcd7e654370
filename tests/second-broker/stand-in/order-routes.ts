// Orders over HTTP: tickets with questions before them, lists of the current session, single orders, cancellations, trades.
import { type Answer, empty, json, page } from './answer.ts';
import type { Books, Order, Ticket } from './books.ts';
import type { BrokerageSession } from './brokerage-session.ts';
import type { Chance } from './chance.ts';
import type { ContractTable } from './contracts.ts';
import { CONFIRMABLE, FORBIDDEN, type Habits, NO_MARKET_DATA } from './habits.ts';
import { isOver, orderByHand, tradesByHand, type Wording } from './wording.ts';

export type Visit = { readonly session: BrokerageSession; readonly now: number };

type Question = {
  readonly ticket: Ticket;
  /** What decisions by seed hang on: which order of its kind it is, whatever its client id. */
  readonly subject: string;
  readonly chain: readonly string[];
};

const TRADES_KEPT_MS = 7 * 86_400_000;

export class OrderRoutes {
  /** Open questions, of which a user has one: a new order makes an older one void. */
  readonly #open = new Map<string, Question & { readonly user: string }>();
  /** Looks at an order until its cancellation takes effect. */
  readonly #cancelling = new Map<number, number>();
  #asked = 0;
  readonly #submitted = new Map<string, number>();
  /** Every answer to a question, in order. */
  readonly replies: { readonly messageId: string; readonly confirmed: boolean }[] = [];
  readonly #books: Books;
  readonly #chance: Chance;
  readonly #wording: Wording;
  readonly #habits: Habits;
  readonly contracts: () => ContractTable;

  constructor(tools: {
    readonly books: Books;
    readonly chance: Chance;
    readonly wording: Wording;
    readonly habits: Habits;
    readonly contracts: () => ContractTable;
  }) {
    this.#books = tools.books;
    this.#chance = tools.chance;
    this.#wording = tools.wording;
    this.#habits = tools.habits;
    this.contracts = tools.contracts;
  }

  submit(visit: Visit, account: string, body: unknown): Answer {
    const { orders = [] } = (body ?? {}) as { orders?: readonly Record<string, unknown>[] };
    const [fields] = orders;
    if (fields === undefined || orders.length !== 1)
      return json({ error: 'Bad Request: one order at a time', statusCode: 400 }, 400);
    const ticket = this.#read(account, fields);
    if (typeof ticket === 'string') return json({ error: ticket });
    for (const [id, { user }] of this.#open) if (user === visit.session.user) this.#open.delete(id);
    const subject = this.#subjectOf(ticket);
    return this.#ask(visit, { ticket, subject, chain: this.#chainFor(ticket, subject) });
  }

  reply(visit: Visit, id: string, body: unknown): Answer {
    const question = this.#open.get(id);
    if (question === undefined || question.user !== visit.session.user)
      return json({ error: `reply id not found: '${id}'` });
    this.#open.delete(id);
    const confirmed = (body as { confirmed?: unknown } | null)?.confirmed === true;
    const [messageId = '', ...chain] = question.chain;
    this.replies.push({ messageId, confirmed });
    if (!confirmed) return json({ error: 'Order not confirmed ' });
    if ((FORBIDDEN as readonly string[]).includes(messageId))
      this.#books.findings.push(`confirmed ${messageId} for ${question.ticket.clientId}`);
    return this.#ask(visit, { ...question, chain });
  }

  list({ session, now }: Visit, { force, accountId }: { force: boolean; accountId: string | null }): Answer {
    const isFirst = !session.hasListedOrders;
    session.hasListedOrders = true;
    if (isFirst || force) return json({ orders: [], snapshot: false });
    const account = accountId ?? session.selected;
    const shown = this.#books.orders.filter(
      (order) => order.account === account && this.#shows(session, order),
    );
    for (const order of shown) this.#lookAt(order, now);
    const rows = shown.map((order) => this.#wording.orderRow(order));
    return json({ orders: this.#habits.rowsByHand ? [orderByHand(account), ...rows] : rows, snapshot: true });
  }

  find({ session, now }: Visit, id: string): Answer {
    const order = this.#books.orders.find((one) => String(one.id) === id && one.account === session.selected);
    if (order !== undefined && this.#shows(session, order)) {
      this.#lookAt(order, now);
      return json(this.#wording.orderStatus(order));
    }
    const absent = [
      empty(503),
      json({ error: 'Service Unavailable', statusCode: 503 }, 503),
      page('<html><body><h1>Resource not found</h1></body></html>', 503),
    ] as const;
    return this.#chance.pick(absent, 'absent', id);
  }

  cancel({ session }: Visit, account: string, id: string): Answer {
    const order = this.#books.orders.find((one) => String(one.id) === id && one.account === account);
    if (order === undefined || !this.#shows(session, order))
      return json({ error: `OrderID ${id} doesn't exist` });
    if (isOver(order)) return json({ error: `Order ${id} is not active` }, 400);
    if (order.state === 'working') {
      order.state = 'cancelling';
      this.#cancelling.set(order.id, Math.floor(this.#chance.share('cancelling', id) * 3));
    }
    const requested = { msg: 'Request was submitted', conid: -1, account: null };
    return this.#chance.happens(0.5, 'cancel form', id)
      ? json({ ...requested, order_id: order.id })
      : json([
          { msg: 'Request was submitted', order_id: id, order_status: 'PendingCancel', encrypt_message: '1' },
        ]);
  }

  trades({ session, now }: Visit): Answer {
    const account = session.selected;
    const kept = this.#books.executions.filter(
      ({ order, at }) => order.account === account && at >= now - TRADES_KEPT_MS,
    );
    for (const execution of kept) execution.looks += 1;
    const rows = kept.map((execution) => this.#wording.trade(execution));
    return json(this.#habits.rowsByHand ? [...tradesByHand(account, now - 3_600_000), ...rows] : rows);
  }

  #shows(session: BrokerageSession, order: Order): boolean {
    return this.#habits.ordersOfSession ? session.shows(order) : session.isAlive;
  }

  #lookAt(order: Order, now: number): void {
    const left = this.#cancelling.get(order.id);
    if (left === undefined) return;
    this.#cancelling.set(order.id, left - 1);
    if (left <= 0) this.#books.endCancelled(order, now);
  }

  #ask({ session, now }: Visit, { ticket, subject, chain }: Question): Answer {
    const [messageId] = chain;
    if (messageId === undefined) {
      const order = this.#books.place(ticket, session.number, now);
      if (this.#chance.happens(this.#habits.lostAnswers, 'lost', subject))
        return { ...empty(503), isLost: true };
      return json([{ order_id: String(order.id), order_status: 'PreSubmitted', encrypt_message: '1' }]);
    }
    this.#asked += 1;
    const id = `99097238-9824-4830-84ef-${String(this.#asked).padStart(12, '0')}`;
    this.#open.set(id, { ticket, subject, chain, user: session.user });
    return json([
      {
        id,
        isSuppressed: false,
        message: [
          `<h4>Confirmation</h4>The following order needs your attention (${messageId}).\n\nAre you sure?`,
        ],
        messageIds: [messageId],
        messageOptions: null,
      },
    ]);
  }

  /** Questions about stops always come; a forbidden one before purchases alone, so that every exit can leave. */
  #chainFor({ type, side }: Ticket, subject: string): readonly string[] {
    const { questions, forbiddenQuestions } = this.#habits;
    if (type === 'STP')
      return this.#chance.happens(0.5, 'stop chain', subject) ? ['o10331'] : ['o10331', 'o10152'];
    if (!this.#chance.happens(questions, 'asked', subject)) return [];
    const notice = this.#chance.pick(CONFIRMABLE, 'notice', subject);
    if (side === 'BUY' && this.#chance.happens(forbiddenQuestions, 'forbidden', subject))
      return [notice, this.#chance.pick([...FORBIDDEN, NO_MARKET_DATA], 'which', subject)];
    return this.#chance.happens(0.3, 'second', subject) ? [notice, 'o403'] : [notice];
  }

  #subjectOf({ contract, side, type }: Ticket): string {
    const kind = `${side} ${type} ${contract.symbol}`;
    const count = (this.#submitted.get(kind) ?? 0) + 1;
    this.#submitted.set(kind, count);
    return `${kind} ${count}`;
  }

  #read(account: string, fields: Record<string, unknown>): Ticket | string {
    const contract = this.contracts().byConid(fields.conid ?? fields.conidex);
    const { side, orderType, tif, quantity } = fields;
    const units = Number(quantity);
    if (contract === undefined) return 'Bad Request: contract not found';
    if (fields.acctId !== undefined && fields.acctId !== account)
      return 'Bad Request: accountId is not valid';
    if (side !== 'BUY' && side !== 'SELL') return 'Bad Request: side';
    if (orderType !== 'LMT' && orderType !== 'MKT' && orderType !== 'STP') return 'Bad Request: orderType';
    if (tif !== 'DAY' && tif !== 'GTC') return 'Bad Request: tif';
    if (!(units > 0)) return 'Bad Request: quantity';
    const given = orderType === 'STP' ? (fields.auxPrice ?? fields.price) : fields.price;
    const price = orderType === 'MKT' ? null : Number(given);
    if (price !== null && !(price > 0)) return 'Bad Request: price';
    const clientId = typeof fields.cOID === 'string' ? fields.cOID : null;
    return { account, contract, clientId, side, type: orderType, price, lasts: tif, units };
  }
}
