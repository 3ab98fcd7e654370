// A second stand-in for the Web API of Interactive Brokers, written from the vendor's documents and apart from
// sandbox/interactive-brokers: with the habits that the documents allow, its own books, and no market of its own. It lives
// in the time of the market feed that it is given, and says so at /market/clock.
import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { type Answer, BAD_GATEWAY, json, page, problem } from './answer.ts';
import { Books } from './books.ts';
import { BrokerageSession } from './brokerage-session.ts';
import { chanceBySeed } from './chance.ts';
import { ContractTable } from './contracts.ts';
import { ALL_HABITS, type Habits } from './habits.ts';
import type { World } from './market-world.ts';
import { type Consumer, Permissions, type SignedCall } from './oauth.ts';
import { Limits } from './limits.ts';
import { OrderRoutes } from './order-routes.ts';
import { PortfolioRoutes } from './portfolio-routes.ts';
import { SignInPages } from './sign-in-pages.ts';
import { Wording } from './wording.ts';

export type SecondBrokerSettings = {
  readonly world: World;
  readonly consumer: Consumer;
  readonly seed: number;
  readonly habits?: Partial<Habits>;
  /** Whether the vendor's limits on requests count. */
  readonly hasLimits?: boolean;
  /** The wall's clock, by which signatures, permissions and limits are counted. */
  readonly wallNow?: () => number;
  /** User names and their passwords. */
  readonly people: Readonly<Record<string, string>>;
};

const API = '/v1/api';
const PENALTY_MS = 600_000;

export class SecondBroker {
  readonly books: Books;
  readonly permissions: Permissions;
  readonly orders: OrderRoutes;
  readonly sessions = new Map<string, BrokerageSession>();
  /** Requests by path without numbers, since the start. */
  readonly requests = new Map<string, number>();
  /** Each request with its address, headers and body. */
  readonly received: string[] = [];
  /** Requests that came although the address was to be silent. */
  requestsInPenalty = 0;
  /** Each limit that was broken. */
  readonly broken: string[] = [];
  readonly #limits = new Limits();
  readonly #wallNow: () => number;
  readonly #settings: SecondBrokerSettings;
  readonly #portfolio: PortfolioRoutes;
  readonly #pages: SignInPages;
  readonly #server: Server;
  #contracts: ContractTable | null = null;
  #now = 0;
  #penaltyUntil = 0;
  #pagesDue = 0;
  #turn: Promise<unknown> = Promise.resolve();

  constructor(settings: SecondBrokerSettings) {
    this.#settings = settings;
    const chance = chanceBySeed(settings.seed);
    this.books = new Books(chance);
    this.#wallNow = settings.wallNow ?? Date.now;
    this.permissions = new Permissions(settings.consumer, this.#wallNow);
    this.#pages = new SignInPages(this.permissions, new Map(Object.entries(settings.people)));
    const parts = {
      books: this.books,
      chance,
      wording: new Wording(chance),
      habits: { ...ALL_HABITS, ...settings.habits },
      contracts: () => this.contracts,
    };
    this.orders = new OrderRoutes(parts);
    this.#portfolio = new PortfolioRoutes(parts);
    this.#server = createServer((request, response) => void this.#serve(request, response));
  }

  get contracts(): ContractTable {
    if (this.#contracts === null) throw new Error('nobody has asked for the market yet');
    return this.#contracts;
  }

  async listen(port = 0): Promise<string> {
    await new Promise<void>((done) => this.#server.listen(port, '127.0.0.1', done));
    return `http://127.0.0.1:${(this.#server.address() as AddressInfo).port}`;
  }

  async close(): Promise<void> {
    this.#server.closeAllConnections();
    await new Promise((done) => this.#server.close(done));
  }

  /** Brings the books to the market's time. Called before each request, and by whoever moves that time. */
  catchUp(): Promise<void> {
    return this.#inTurn(async () => {
      const { world } = this.#settings;
      this.#contracts ??= new ContractTable(await world.instruments());
      const now = Date.parse((await world.clock()).now);
      if (now === this.#now) return;
      this.#now = now;
      const symbols = new Set(this.books.working().map(({ contract }) => contract.symbol));
      this.books.match(now, await world.prices([...symbols]));
    });
  }

  /** The brokerage session of everybody ends, as at a reset: the next is another one. */
  endSessions(): void {
    for (const session of this.sessions.values()) session.end();
  }

  /** The keys of the day end: each call is refused until a new one is agreed. */
  endDayKeys(): void {
    for (const grant of this.permissions.grants) grant.dayKey = null;
  }

  /** The next queries are answered with a page of something in between. */
  answerPages(count: number): void {
    this.#pagesDue += count;
  }

  /** From now on every request of this address is answered with 429, and counted. */
  penalise(): void {
    this.#penaltyUntil = this.#wallNow() + PENALTY_MS;
  }

  #inTurn<Result>(work: () => Promise<Result>): Promise<Result> {
    const mine = this.#turn.then(work, work);
    this.#turn = mine.catch(() => undefined);
    return mine;
  }

  async #serve(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const chunks: Buffer[] = [];
    for await (const chunk of request) chunks.push(chunk as Buffer);
    const url = new URL(request.url ?? '/', `http://${request.headers.host}`);
    const text = Buffer.concat(chunks).toString();
    this.received.push(`${request.method} ${request.url} ${JSON.stringify([request.headers, text])}`);
    const answer = await this.#answer(request, url, text).catch((error: unknown) =>
      json({ error: String(error) }, 500),
    );
    if (answer.isLost === true) {
      response.destroy();
      return;
    }
    response.statusCode = answer.status;
    if (answer.location !== undefined) response.setHeader('location', answer.location);
    if (answer.html !== undefined) response.setHeader('content-type', 'text/html').end(answer.html);
    else if (answer.body === undefined) response.end();
    else response.setHeader('content-type', 'application/json').end(JSON.stringify(answer.body));
  }

  async #answer(request: IncomingMessage, url: URL, text: string): Promise<Answer> {
    if (url.pathname === '/market/clock') return json(await this.#settings.world.clock());
    if (url.pathname === '/sso/authorize') return this.#pages.show(url.searchParams);
    if (url.pathname === '/sso/login') return this.#pages.logIn(new URLSearchParams(text));
    if (url.pathname === '/sso/consent') return this.#pages.consent(new URLSearchParams(text));
    if (!url.pathname.startsWith(API)) return page('<html><body>Not found</body></html>', 404);
    const path = url.pathname.slice(API.length);
    const method = request.method ?? 'GET';
    this.#note(method, path);
    if (this.#wallNow() < this.#penaltyUntil) {
      this.requestsInPenalty += 1;
      return json({ error: 'Too Many Requests', statusCode: 429 }, 429);
    }
    if (method === 'POST' && text === '') return json({ error: 'Length Required' }, 411);
    const call: SignedCall = {
      method,
      address: url.origin + url.pathname,
      query: url.searchParams,
      header: request.headers.authorization ?? '',
    };
    await this.catchUp();
    if (path.startsWith('/oauth/')) return this.#token(path, call);
    const grant = this.permissions.signer(call);
    if ('why' in grant) return grant.status === 410 ? json({ error: grant.why }, 410) : problem(grant.why);
    if (method === 'GET' && this.#pagesDue > 0) {
      this.#pagesDue -= 1;
      return BAD_GATEWAY;
    }
    const broken =
      this.#settings.hasLimits === true
        ? this.#limits.broken(grant.user, `${method} ${path}`, this.#wallNow())
        : null;
    if (broken !== null) {
      this.broken.push(broken);
      this.penalise();
      return json({ error: 'Too Many Requests', statusCode: 429 }, 429);
    }
    const body: unknown = text.startsWith('{') ? JSON.parse(text) : null;
    return this.#route({ method, path, query: url.searchParams, body, user: grant.user });
  }

  #note(method: string, path: string): void {
    const name = `${method} ${path.replace(/\/(DU)?\d[\w-]*/g, '/…')}`;
    this.requests.set(name, (this.requests.get(name) ?? 0) + 1);
  }

  #token(path: string, call: SignedCall): Answer {
    if (path === '/oauth/request_token') {
      const token = this.permissions.newRequestToken(call);
      return typeof token === 'string' ? json({ oauth_token: token }) : problem(token.why);
    }
    if (path === '/oauth/access_token') {
      const granted = this.permissions.exchangeVerifier(call);
      if ('why' in granted) return problem(granted.why);
      return json({ is_paper: true, oauth_token: granted.token, oauth_token_secret: granted.secretBase64 });
    }
    const agreed = this.permissions.exchangeDayKey(call);
    if ('why' in agreed) return problem(agreed.why);
    return json({
      diffie_hellman_response: agreed.responseHex,
      live_session_token_signature: agreed.signatureHex,
      live_session_token_expiration: this.#wallNow() + 86_400_000,
    });
  }

  #sessionOf(user: string): BrokerageSession {
    const found = this.sessions.get(user) ?? new BrokerageSession(user);
    this.sessions.set(user, found);
    return found;
  }

  #route(asked: Asked): Answer {
    const session = this.#sessionOf(asked.user);
    return (
      this.#sessionAnswer(asked, session) ?? this.#reading(asked, session) ?? this.#trading(asked, session)
    );
  }

  #sessionAnswer({ path, body, user }: Asked, session: BrokerageSession): Answer | null {
    switch (path) {
      case '/iserver/auth/ssodh/init':
        if ((body as { publish?: unknown } | null)?.publish !== true)
          return json({ error: 'failed to generate sso dh token' }, 500);
        session.start(this.#portfolio.first(user));
        return json(session.status());
      case '/iserver/auth/status':
        return json(session.status());
      case '/tickle':
        return json({
          session: 'a73efe8c40d8ef65c8b4ba0fc32ce8ae',
          hmds: { error: 'no bridge' },
          iserver: { authStatus: session.status() },
        });
      case '/logout':
        session.end();
        return json({ status: true });
      case '/iserver/questions/suppress':
        return json({ status: 'submitted' });
      default:
        return null;
    }
  }

  /** What the outer session alone may read. */
  #reading({ path, query, user }: Asked, session: BrokerageSession): Answer | null {
    if (path === '/portfolio/accounts') {
      session.hasListedPortfolio = true;
      return this.#portfolio.accounts(user);
    }
    const [, list, account = '', rest = ''] = /^\/(portfolio2?)\/([^/]+)\/(.*)$/.exec(path) ?? [];
    if (list !== undefined) {
      if (!session.hasListedPortfolio)
        return json({ error: 'Bad Request: Please query /accounts first' }, 400);
      if (!this.#portfolio.owns(user, account)) return json({ error: 'Invalid account ID' }, 500);
      if (list === 'portfolio2') return this.#portfolio.newerPositions();
      if (rest === 'ledger') return this.#portfolio.ledger(account);
      if (rest === 'positions/invalidate') return json({ message: 'success' });
      return this.#portfolio.positions(account, Number(rest.replace('positions/', '')));
    }
    if (path === '/trsrv/stocks') return json(this.contracts.stocks((query.get('symbols') ?? '').split(',')));
    if (path === '/trsrv/futures') return json({ [query.get('symbols') ?? '']: [] });
    if (path === '/trsrv/secdef') return json({ secdef: [] });
    return null;
  }

  #trading({ method, path, query, body, user }: Asked, session: BrokerageSession): Answer {
    const obstacle = session.obstacle(path);
    if (obstacle !== null) return json({ error: obstacle, statusCode: 400 }, 400);
    const visit = { session, now: this.#now };
    if (path === '/iserver/accounts') {
      session.hasListedAccounts = true;
      return this.#portfolio.tradingAccounts(user, session.selected);
    }
    if (path === '/iserver/account')
      return this.#select(session, (body as { acctId?: string } | null)?.acctId ?? '');
    if (path === '/iserver/currency/pairs') return json(this.contracts.pairs(query.get('currency') ?? ''));
    if (path === '/iserver/secdef/search') return json(this.contracts.search(query.get('symbol') ?? ''));
    if (path === '/iserver/account/orders')
      return this.orders.list(visit, {
        force: query.get('force') === 'true',
        accountId: query.get('accountId'),
      });
    if (path === '/iserver/account/trades') return this.orders.trades(visit);
    const [, replyId] = /^\/iserver\/reply\/(.+)$/.exec(path) ?? [];
    if (replyId !== undefined) return this.orders.reply(visit, replyId, body);
    const [, statusId] = /^\/iserver\/account\/order\/status\/(\d+)$/.exec(path) ?? [];
    if (statusId !== undefined) return this.orders.find(visit, statusId);
    const [, account = '', orderId] = /^\/iserver\/account\/([^/]+)\/orders?(?:\/(\d+))?$/.exec(path) ?? [];
    if (!this.#portfolio.owns(user, account)) return page('<html><body>Not found</body></html>', 404);
    if (method === 'DELETE' && orderId !== undefined) return this.orders.cancel(visit, account, orderId);
    return this.orders.submit(visit, account, body);
  }

  #select(session: BrokerageSession, account: string): Answer {
    if (!this.#portfolio.owns(session.user, account)) return json({ error: 'Invalid account ID' }, 500);
    if (session.selected === account) return json({ success: 'Account already set' });
    session.selected = account;
    return json({ set: true, acctId: account });
  }
}

type Asked = {
  readonly method: string;
  readonly path: string;
  readonly query: URLSearchParams;
  readonly body: unknown;
  readonly user: string;
};
