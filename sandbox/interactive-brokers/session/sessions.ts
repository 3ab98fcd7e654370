// What the brokerage remembers of a signed-in client while the process lives: session tokens and the trading session.
import { randomUUID } from 'node:crypto';
import type { AccessToken } from '../sign-in/permissions.ts';

export type ClientSession = {
  readonly access: AccessToken;
  liveSessionTokens: { readonly bytes: Buffer; readonly endsMs: number }[];
  brokerage: BrokerageSession | null;
  /** Portfolio paths answer only after a request for the account list. */
  portfolioAsked: boolean;
  /** The cookie that the stream asks for; the first tickle returns it. */
  streamToken: string | null;
};

export type BrokerageSession = {
  /** Lists show only orders of the same one. */
  readonly id: string;
  lastSeenMs: number;
  accountsAsked: boolean;
  /** The account that queries speak of, where a path does not name one. */
  selectedAccount: string | null;
  /** The first order list of a session is empty. */
  ordersPrimed: boolean;
  suppressed: ReadonlySet<string>;
  readonly snapshotsPrimed: Set<number>;
};

export type Sessions = {
  of(access: AccessToken): ClientSession;
  /** The session of a token, if there has been one. */
  find(token: string): ClientSession | null;
  addToken(session: ClientSession, bytes: Buffer): number;
  liveTokens(session: ClientSession): Buffer[];
  /** The trading session if it is up; reading it keeps it alive. */
  trading(session: ClientSession): BrokerageSession | null;
  /** Whether the trading session is up. Does not keep it alive. */
  stands(session: ClientSession): boolean;
  /** Starts the trading session, unless another program holds the person's and `compete` is false. */
  start(session: ClientSession, compete: boolean): 'established' | 'competing' | 'forbidden';
  /** From now on the person's permission is read-only. */
  forbidTrading(userName: string): void;
  allowTrading(userName: string): void;
  /** The person signs in with another program, which ends every trading session of that user name here. */
  holdElsewhere(userName: string): void;
  /** The person signs out there. */
  releaseElsewhere(userName: string): void;
  isHeldElsewhere(userName: string): boolean;
  /** Ends the trading sessions of one person, or of all. */
  endTrading(userName?: string): void;
  /** Ends the trading sessions and the session tokens of one person, or of all. */
  endTokens(userName?: string): void;
};

export function openSessions(realNow: () => number): Sessions {
  const sessions = new Map<string, ClientSession>();
  const heldElsewhere = new Set<string>();
  const forbidden = new Set<string>();
  const isAlive = ({ brokerage }: ClientSession) =>
    brokerage !== null && realNow() - brokerage.lastSeenMs < IDLE_MS;
  const of = (userName?: string) =>
    [...sessions.values()].filter(({ access }) => userName === undefined || access.userName === userName);

  return {
    of(access) {
      let session = sessions.get(access.token);
      if (!session) {
        session = {
          access,
          liveSessionTokens: [],
          brokerage: null,
          portfolioAsked: false,
          streamToken: null,
        };
        sessions.set(access.token, session);
      }
      return session;
    },
    find: (token) => sessions.get(token) ?? null,
    addToken(session, bytes) {
      const endsMs = realNow() + DAY_REAL_MS;
      session.liveSessionTokens = [{ bytes, endsMs }, ...session.liveSessionTokens].slice(0, TOKENS_MAX);
      return endsMs;
    },
    liveTokens: (session) =>
      session.liveSessionTokens.filter(({ endsMs }) => realNow() < endsMs).map(({ bytes }) => bytes),
    trading(session) {
      if (!session.brokerage || !isAlive(session)) return null;
      session.brokerage.lastSeenMs = realNow();
      return session.brokerage;
    },
    stands: isAlive,
    start(session, compete) {
      const { userName } = session.access;
      if (forbidden.has(userName)) return 'forbidden';
      if (heldElsewhere.has(userName) && !compete) return 'competing';
      heldElsewhere.delete(userName);
      if (!session.brokerage || !isAlive(session)) session.brokerage = newBrokerageSession(realNow());
      session.brokerage.lastSeenMs = realNow();
      return 'established';
    },
    holdElsewhere(userName) {
      heldElsewhere.add(userName);
      for (const session of of(userName)) session.brokerage = null;
    },
    forbidTrading(userName) {
      forbidden.add(userName);
      for (const session of of(userName)) session.brokerage = null;
    },
    allowTrading: (userName) => void forbidden.delete(userName),
    releaseElsewhere: (userName) => void heldElsewhere.delete(userName),
    isHeldElsewhere: (userName) => heldElsewhere.has(userName),
    endTrading(userName) {
      for (const session of of(userName)) session.brokerage = null;
    },
    endTokens(userName) {
      for (const session of of(userName)) {
        session.brokerage = null;
        session.liveSessionTokens = [];
      }
    },
  };
}

function newBrokerageSession(nowMs: number): BrokerageSession {
  return {
    id: randomUUID(),
    lastSeenMs: nowMs,
    accountsAsked: false,
    selectedAccount: null,
    ordersPrimed: false,
    suppressed: new Set(),
    snapshotsPrimed: new Set(),
  };
}

/** A trading session without a tickle ends after about six minutes. */
const IDLE_MS = 360_000;
const DAY_REAL_MS = 86_400_000;
const TOKENS_MAX = 4;
