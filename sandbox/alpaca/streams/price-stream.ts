// The streams of prices at the stand-in for Alpaca, under /v2/{feed} and /v1beta3/crypto/us: authenticate, subscribe, then
// trades and quotes in arrays. One connection for one pair of keys, and thirty channels on the free plan.
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, isoText } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { nameOf } from '../orders/read-order.ts';
import { readMessage } from './read-message.ts';
import { sendFrames } from './send-frames.ts';

export type PriceStream = {
  attach(server: Server): void;
  /** Ends every connection; new ones are taken. */
  drop(): void;
  /** Sends nothing any more, without ending a connection. */
  isMute: boolean;
  readonly connections: number;
  close(): void;
};

type Tools = {
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly keys: { readonly id: string; readonly secret: string };
  readonly plan?: 'free' | 'subscribed';
  readonly faults: FaultPlan;
};

type Line = {
  readonly source: string;
  isAuthenticated: boolean;
  readonly channels: { readonly trades: Set<string>; readonly quotes: Set<string> };
  readonly sent: Map<string, string>;
  readonly put: (frame: object) => void;
};

export function openPriceStream(tools: Tools): PriceStream {
  const { prices, now, faults } = tools;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536, perMessageDeflate: true });
  const lines = new Map<WebSocket, Line>();
  const symbols = new Map<string, Symbol>(prices.instruments.map((one) => [nameOf(one), one.symbol]));

  const pump = (line: Line) => {
    const at = now();
    const frames = [...new Set([...line.channels.trades, ...line.channels.quotes])].flatMap((name) => {
      const quote = prices.quote(symbols.get(name) ?? ('' as Symbol), at);
      if (quote === null || !quote.open) return [];
      const { last, bid, ask } = quote;
      const told = `${last} ${bid} ${ask} ${at}`;
      if (line.sent.get(name) === told) return [];
      line.sent.set(name, told);
      const t = isoText(at);
      return [
        ...(line.channels.quotes.has(name) ? [{ T: 'q', S: name, t, bp: bid, bs: 1, ap: ask, as: 1 }] : []),
        ...(line.channels.trades.has(name) ? [{ T: 't', S: name, t, p: last, s: 1, i: at }] : []),
      ];
    });
    if (frames.length > 0) line.put(frames);
  };
  const timer = setInterval(() => {
    if (!stream.isMute) for (const line of lines.values()) pump(line);
  }, PUMP_MS).unref();

  const open = (socket: WebSocket, source: string) => {
    const channels = { trades: new Set<string>(), quotes: new Set<string>() };
    const put = sendFrames(socket, faults, { occasion: 'price_frame', isBinary: false });
    const line: Line = { source, isAuthenticated: false, channels, sent: new Map(), put };
    lines.set(socket, line);
    const control = (message: object) => socket.send(JSON.stringify([message]));
    control({ T: 'success', msg: 'connected' });
    socket.on('message', (data) => {
      if (!stream.isMute) control(reply(line, readMessage(data), { ...tools, lines: [...lines.values()] }));
    });
    socket.on('close', () => lines.delete(socket));
    socket.on('error', () => socket.terminate());
  };

  const stream: PriceStream = {
    isMute: false,
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        const source = SOURCE.exec(new URL(request.url ?? '/', 'http://stream').pathname)?.[0];
        if (source !== undefined)
          sockets.handleUpgrade(request, socket, head, (opened) => open(opened, source));
      });
    },
    drop() {
      for (const socket of sockets.clients) socket.terminate();
    },
    get connections() {
      return sockets.clients.size;
    },
    close() {
      clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
  return stream;
}

/** The control message that answers a client's. */
function reply(
  line: Line,
  message: Readonly<Record<string, unknown>>,
  { keys, plan, lines }: Pick<Tools, 'keys' | 'plan'> & { readonly lines: readonly Line[] },
): object {
  const { action, key, secret } = message;
  if (action === 'auth') {
    if (line.isAuthenticated) return failure(403, 'already authenticated');
    if (key !== keys.id || secret !== keys.secret) return failure(402, 'auth failed');
    if (line.source === '/v2/sip' && plan !== 'subscribed') return failure(409, 'insufficient subscription');
    const others = lines.filter((one) => one.source === line.source && one.isAuthenticated);
    if (others.length > 0) return failure(406, 'connection limit exceeded');
    line.isAuthenticated = true;
    return { T: 'success', msg: 'authenticated' };
  }
  if (!line.isAuthenticated) return failure(401, 'not authenticated');
  if (action !== 'subscribe' && action !== 'unsubscribe') return failure(400, 'invalid syntax');
  const { channels } = line;
  const wanted = { trades: namesIn(message.trades), quotes: namesIn(message.quotes) };
  const next = {
    trades: changed(channels.trades, wanted.trades, action),
    quotes: changed(channels.quotes, wanted.quotes, action),
  };
  if (plan !== 'subscribed' && next.trades.size + next.quotes.size > CHANNELS_MAX)
    return failure(405, 'symbol limit exceeded');
  for (const kind of ['trades', 'quotes'] as const) {
    channels[kind].clear();
    for (const name of next[kind]) channels[kind].add(name);
  }
  return { T: 'subscription', trades: [...channels.trades], quotes: [...channels.quotes], bars: [] };
}

function changed(now: ReadonlySet<string>, names: readonly string[], action: 'subscribe' | 'unsubscribe') {
  return action === 'subscribe'
    ? new Set([...now, ...names])
    : new Set([...now].filter((name) => !names.includes(name)));
}

function namesIn(value: unknown): readonly string[] {
  return Array.isArray(value) ? value.map(String) : [];
}

function failure(code: number, msg: string) {
  return { T: 'error', code, msg };
}

const SOURCE = /^\/(v2\/(iex|sip|delayed_sip)|v1beta3\/crypto\/us)$/;
/** Trades and quotes together. */
const CHANNELS_MAX = 30;
const PUMP_MS = 50;
