// The streams of prices at the stand-in for Alpaca, under /v2/{feed} and /v1beta3/crypto/us: authenticate, subscribe, then
// trades, quotes, minute bars and trading statuses in arrays. One connection for one pair of keys, and thirty channels of
// trades and quotes on the free plan.
import type { Server } from 'node:http';
import { type WebSocket, WebSocketServer } from 'ws';
import type { Symbol } from '#units/identifiers.ts';
import { type Instant, instant, isoText, MINUTE_MS } from '#units/instant.ts';
import type { PriceSource } from '../../market/price-source.ts';
import type { FaultPlan } from '../faults/fault-plan.ts';
import { type Halts, RECENT_MS } from '../market-data/settings.ts';
import { nameOf } from '../orders/instrument-named.ts';
import { readMessage } from './read-message.ts';
import { sendFrames } from './send-frames.ts';

export type PriceStream = {
  attach(server: Server): void;
  /** Ends every connection; new ones are taken. */
  drop(): void;
  /** Sends nothing any more, without ending a connection. */
  isMute: boolean;
  readonly connections: number;
  /** How many there have ever been. */
  readonly opened: number;
  /** Those that have been told all of what they subscribed to. */
  readonly subscriptions: number;
  /** Tells every connection that it is too slow, and ends it. */
  callSlow(): void;
  /** Trading in a share ends, and begins again. */
  halt(symbol: string): void;
  resume(symbol: string): void;
  close(): void;
};

type Tools = {
  readonly halts: Halts;
  readonly prices: PriceSource;
  readonly now: () => Instant;
  readonly keys: { readonly id: string; readonly secret: string };
  readonly plan?: 'free' | 'subscribed';
  readonly faults: FaultPlan;
};

const CHANNELS = ['trades', 'quotes', 'bars', 'statuses'] as const;

type Line = {
  readonly source: string;
  isAuthenticated: boolean;
  readonly channels: Readonly<Record<(typeof CHANNELS)[number], Set<string>>>;
  readonly sent: Map<string, string>;
  /** The minute whose bar comes next. */
  minute: number;
  readonly put: (frame: object) => void;
};

export function openPriceStream(tools: Tools): PriceStream {
  const { prices, now, faults, halts } = tools;
  const sockets = new WebSocketServer({ noServer: true, maxPayload: 65_536, perMessageDeflate: true });
  const lines = new Map<WebSocket, Line>();
  let opened = 0;
  const symbols = new Map<string, Symbol>(prices.instruments.map((one) => [nameOf(one), one.symbol]));

  const pump = (line: Line) => {
    const at = instant(now() - (line.source === '/v2/delayed_sip' ? RECENT_MS : 0));
    const frames = newsOf(line, at, (name) =>
      halts.has(name) ? null : prices.quote(symbols.get(name) ?? ('' as Symbol), at),
    );
    if (frames.length > 0) line.put(frames);
  };
  const tellStatus = (symbol: string, status: object) => {
    const frame = [{ T: 's', S: symbol, ...status, t: isoText(now()), z: 'B' }];
    for (const line of lines.values()) if (line.channels.statuses.has(symbol)) line.put(frame);
  };
  const timer = setInterval(() => {
    if (!stream.isMute) for (const line of lines.values()) pump(line);
  }, PUMP_MS).unref();

  const open = (socket: WebSocket, source: string) => {
    opened += 1;
    const put = sendFrames(socket, faults, { occasion: 'price_frame', isBinary: false });
    const line: Line = { ...newLine(source), minute: Math.floor(now() / MINUTE_MS), put };
    lines.set(socket, line);
    hold(socket, line, {
      answer: (message) =>
        stream.isMute ? null : reply(line, message, { ...tools, lines: [...lines.values()] }),
      onClose: () => lines.delete(socket),
    });
  };

  const stream: PriceStream = {
    isMute: false,
    attach(server) {
      server.on('upgrade', (request, socket, head) => {
        const source = SOURCE.exec(new URL(request.url ?? '/', 'http://stream').pathname)?.[0];
        if (source !== undefined)
          sockets.handleUpgrade(request, socket, head, (taken) => open(taken, source));
      });
    },
    drop() {
      for (const socket of sockets.clients) socket.terminate();
    },
    get connections() {
      return sockets.clients.size;
    },
    get opened() {
      return opened;
    },
    get subscriptions() {
      return [...lines.values()].filter(({ channels }) => channels.trades.size > 0).length;
    },
    callSlow() {
      for (const socket of sockets.clients) {
        socket.send(JSON.stringify([failure(407, 'slow client')]));
        socket.terminate();
      }
    },
    halt(symbol) {
      halts.set(symbol, now());
      tellStatus(symbol, { sc: '2', sm: 'Trading Halt', rc: 'P', rm: 'News Pending' });
    },
    resume(symbol) {
      halts.delete(symbol);
      tellStatus(symbol, { sc: '3', sm: 'Resume', rc: '', rm: '' });
    },
    close() {
      clearInterval(timer);
      for (const socket of sockets.clients) socket.terminate();
      sockets.close();
    },
  };
  return stream;
}

function newLine(source: string): Omit<Line, 'minute' | 'put'> {
  const set = () => new Set<string>();
  const channels = { trades: set(), quotes: set(), bars: set(), statuses: set() };
  return { source, isAuthenticated: false, channels, sent: new Map() };
}

/** Greets, answers messages of control, and ends a connection without keys. */
function hold(
  socket: WebSocket,
  line: Line,
  {
    answer,
    onClose,
  }: {
    readonly answer: (message: Readonly<Record<string, unknown>>) => object | null;
    readonly onClose: () => void;
  },
): void {
  const control = (message: object) => socket.send(JSON.stringify([message]));
  const tooLate = setTimeout(() => {
    if (line.isAuthenticated) return;
    control(failure(404, 'auth timeout'));
    socket.terminate();
  }, AUTH_MS).unref();
  control({ T: 'success', msg: 'connected' });
  socket.on('message', (data) => {
    const said = answer(readMessage(data));
    if (said !== null) control(said);
  });
  socket.on('close', () => {
    clearTimeout(tooLate);
    onClose();
  });
  socket.on('error', () => socket.terminate());
}

/** What has changed on a line since it was last told, and the bars of a minute that is over. */
function newsOf(
  line: Line,
  at: Instant,
  quoteOf: (name: string) => ReturnType<PriceSource['quote']>,
): readonly object[] {
  const { trades, quotes, bars } = line.channels;
  const minute = Math.floor(at / MINUTE_MS);
  const isOver = minute > line.minute;
  const over = isoText(instant(line.minute * MINUTE_MS));
  line.minute = minute;
  return [...new Set([...trades, ...quotes, ...bars])].flatMap((name) => {
    const quote = quoteOf(name);
    if (quote === null || !quote.open) return [];
    const { last, bid, ask } = quote;
    const told = `${last} ${bid} ${ask} ${at}`;
    if (line.sent.get(name) === told) return [];
    line.sent.set(name, told);
    const t = isoText(at);
    const bar = { T: 'b', S: name, o: last, h: last, l: last, c: last, v: 1, t: over };
    const tape = { x: 'V', z: 'B' };
    return [
      ...(bars.has(name) && isOver ? [bar] : []),
      ...(quotes.has(name) ? [{ T: 'q', S: name, t, bp: bid, bs: 1, ap: ask, as: 1, c: ['R'], z: 'B' }] : []),
      ...(trades.has(name) ? [{ T: 't', S: name, t, p: last, s: 1, i: at, c: ['@'], ...tape }] : []),
    ];
  });
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
  const { channels, source } = line;
  if (source.startsWith('/v1beta3') && message.statuses !== undefined) return failure(400, 'invalid syntax');
  const next = CHANNELS.map(
    (channel) => [channel, changed(channels[channel], namesIn(message[channel]), action)] as const,
  );
  const [trades, quotes] = next;
  if (plan !== 'subscribed' && trades![1].size + quotes![1].size > CHANNELS_MAX)
    return failure(405, 'symbol limit exceeded');
  for (const [channel, names] of next) {
    channels[channel].clear();
    for (const name of names) channels[channel].add(name);
  }
  return { T: 'subscription', ...Object.fromEntries(next.map(([channel, names]) => [channel, [...names]])) };
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
/** From the open connection to the keys. */
const AUTH_MS = 10_000;
const PUMP_MS = 50;
