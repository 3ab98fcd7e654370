// The brokerage's websocket: reports the state of the session, and sends orders, executions and prices to their
// subscribers as they change.
import type { Server } from 'node:http';
import { type RawData, type WebSocket, WebSocketServer } from 'ws';
import type { Instant } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { AdviserAccess } from '../sign-in/adviser.ts';
import type { ContractList } from '../market-data/contract-list.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import type { OrderBook } from '../orders/order-book.ts';
import type { People, Person } from '../sign-in/people.ts';
import type { ClientSession, Sessions } from '../session/sessions.ts';
import { createSubscriptions, type Subscriptions } from './stream-subscriptions.ts';

export type BrokerageStream = {
  /** Open ones. */
  readonly connections: number;
  /** Breaks them, as a bad line does. */
  drop(): void;
  /** Sends nothing any more, without ending a connection. */
  isMute: boolean;
  /** Its heartbeat now: for a clock that is moved by hand. */
  beat(): void;
};

type Stream = BrokerageStream & {
  /** Takes the upgrades of the stream's path. */
  attach(server: Server): void;
  close(): void;
};

export function createStream(tools: {
  readonly sessions: Sessions;
  readonly people: People;
  readonly adviser: AdviserAccess | null;
  readonly contracts: ContractList;
  readonly prices: PriceSource;
  readonly orders: OrderBook;
  readonly faults: FaultPlan;
  readonly bringUpToDate: () => Instant;
  readonly realNow: () => number;
}): Stream {
  const { sessions, people, adviser, bringUpToDate, realNow } = tools;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536 });
  const lines = new Set<Line>();
  let timer: NodeJS.Timeout | null = null;

  const pump = () => {
    if (lines.size === 0) return;
    const at = bringUpToDate();
    for (const line of lines) pumpLine(line, sessions, at, realNow());
  };

  const open = (socket: WebSocket, session: ClientSession, cookie: string | null) => {
    const owners = people.find(session.access.userName);
    const accounts: readonly Person[] = owners ? [owners] : people.list();
    const send = (frame: object) => {
      if (!stream.isMute) socket.send(JSON.stringify(frame));
    };
    const subscriptions = createSubscriptions({ ...tools, accounts, send });
    const line: Line = { socket, session, send, subscriptions, stood: null, beatAt: realNow() };
    const begin = () => {
      lines.add(line);
      send({ topic: 'system', success: session.access.userName, isFT: false, isPaper: true });
      pumpLine(line, sessions, bringUpToDate(), realNow());
    };
    if (cookie !== null && cookie === session.streamToken) begin();
    else send({ message: 'waiting for session' });
    socket.on('message', (data) => {
      const text = textOf(data);
      if (lines.has(line)) return take(line, text, realNow());
      if (session.streamToken !== null && text.includes(`"session":"${session.streamToken}"`)) begin();
      return undefined;
    });
    socket.on('close', () => lines.delete(line));
    socket.on('error', () => socket.terminate());
    timer ??= setInterval(pump, PUMP_MS).unref();
  };

  const stream: Stream = {
    isMute: false,
    get connections() {
      return lines.size;
    },
    drop() {
      for (const socket of sockets.clients) socket.terminate();
    },
    beat() {
      for (const line of lines) line.send({ topic: 'system', hb: realNow() });
    },
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        const url = new URL(request.url ?? '/', 'http://stream');
        if (url.pathname !== '/v1/api/ws') return void socket.destroy();
        const bearer = url.searchParams.get('bearer_token');
        const token = bearer ?? url.searchParams.get('oauth_token') ?? '';
        const session = sessions.find(token);
        const isBearer = bearer !== null && adviser?.isSession(bearer, request.socket.remoteAddress ?? '');
        const isKnown = session !== null && (isBearer || sessions.liveTokens(session).length > 0);
        if (!isKnown) return void socket.end('HTTP/1.1 401 Unauthorized\r\nContent-Length: 0\r\n\r\n');
        const cookie = /(?:^|;\s*)api=([^;\s]+)/.exec(request.headers.cookie ?? '')?.[1] ?? null;
        return sockets.handleUpgrade(request, socket, head, (opened) => open(opened, session, cookie));
      });
    },
    close() {
      if (timer) clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
  return stream;
}

type Line = {
  readonly socket: WebSocket;
  readonly session: ClientSession;
  readonly send: (frame: object) => void;
  readonly subscriptions: Subscriptions;
  stood: boolean | null;
  beatAt: number;
};

function pumpLine(line: Line, sessions: Sessions, at: Instant, realAt: number): void {
  const { brokerage } = line.session;
  const stands = brokerage !== null && sessions.stands(line.session);
  if (stands !== line.stood) {
    const competing = sessions.isHeldElsewhere(line.session.access.userName);
    line.send({ topic: 'sts', args: { authenticated: stands, competing, connected: stands, message: '' } });
  }
  line.stood = stands;
  if (realAt - line.beatAt >= BEAT_MS) {
    line.beatAt = realAt;
    line.send({ topic: 'system', hb: realAt });
  }
  if (stands) line.subscriptions.pump(brokerage.id, at, realAt);
}

/** `tic`, `sor+{…}`, `uor+{}`, `str+{…}`, `utr`, `smd+<conid>+{…}`, `umd+<conid>+{}`; others are ignored. */
function take({ send, subscriptions }: Line, text: string, realAt: number): void {
  const [topic = '', ...rest] = text.trim().split('+');
  const fields = () => readJson(rest.at(-1) ?? '{}');
  switch (topic) {
    case 'tic':
      return send({ topic: 'tic', alive: true });
    case 'sor':
      return subscriptions.orders(true);
    case 'uor':
      return subscriptions.orders(false);
    case 'str':
      return subscriptions.trades(fields().realtimeUpdatesOnly === true ? 'new' : 'all');
    case 'utr':
      return subscriptions.trades('none');
    case 'smd':
      return subscriptions.quotes(Number(rest[0]), { fields: listOf(fields().fields), since: realAt });
    case 'umd':
      return subscriptions.quotes(Number(rest[0]), null);
    default:
      return undefined;
  }
}

function listOf(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function readJson(text: string): Record<string, unknown> {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null ? { ...value } : {};
  } catch {
    return {};
  }
}

function textOf(data: RawData): string {
  if (Array.isArray(data)) return Buffer.concat(data).toString();
  return Buffer.isBuffer(data) ? data.toString() : Buffer.from(data).toString();
}

const PUMP_MS = 100;
const BEAT_MS = 10_000;
