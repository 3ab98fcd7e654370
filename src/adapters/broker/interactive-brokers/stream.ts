// The vendor's websocket, as a source of early news. It may lose frames and repeat them: whoever listens goes on asking.
import { WebSocket } from 'ws';
import type { BrokerAnswer, BrokerExecution, BrokerNews } from '#ports/broker.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { asFlag, asText, type Fields, fieldsOf, reading, rowsOf } from '../answer-fields.ts';
import type { Brokerage } from './brokerage.ts';
import type { Permit } from './authorizer.ts';
import { parseQuote, QUOTE_FIELDS } from './market-data.ts';

export type StreamTools = {
  readonly url: string;
  readonly permit: () => Promise<BrokerAnswer<Permit>>;
  readonly brokerage: Brokerage;
  /** Reads the rows of a frame as executions, with their accounts. */
  readonly readExecutions: (
    rows: unknown,
  ) => Promise<
    BrokerAnswer<readonly { readonly accountId: BrokerAccountId; readonly execution: BrokerExecution }[]>
  >;
};

export type Stream = ReturnType<typeof createStream>;

/** Connects with the first listener and stays connected, with growing pauses, until the last has gone. */
export function createStream(tools: StreamTools) {
  const { url, permit, brokerage } = tools;
  const listeners = new Set<(news: BrokerNews) => void>();
  let socket: WebSocket | null = null;
  let timer: NodeJS.Timeout | null = null;
  let watched = new Map<number, { readonly symbol: Symbol; row: Fields }>();
  let heardAt = 0;
  let failures = 0;
  let isSubscribed = false;

  const tell = (news: BrokerNews) => {
    for (const listener of listeners) listener(news);
  };
  const stopState = brokerage.onChange((state) => {
    // A session that was started anew knows no subscriptions.
    if (state.status === 'connected' && isSubscribed) subscribe();
    tell({ kind: 'session', state });
  });

  const drop = () => {
    socket?.terminate();
    socket = null;
    isSubscribed = false;
  };

  const connect = async () => {
    const stands = brokerage.streamToken === null ? await brokerage.keepAlive() : null;
    const allowed = await permit();
    if (stands?.outcome === 'failed' || allowed.outcome === 'failed' || listeners.size === 0) return;
    const opened = new WebSocket(`${url}?${allowed.value.streamQuery}`, {
      headers: { 'user-agent': 'bellwether', cookie: `api=${brokerage.streamToken ?? ''}` },
      handshakeTimeout: HANDSHAKE_MS,
      maxPayload: FRAME_MAX,
    });
    socket = opened;
    heardAt = Date.now();
    opened.on('message', (data) => {
      heardAt = Date.now();
      void take(data.toString());
    });
    opened.on('error', () => opened.terminate());
    opened.on('close', () => {
      if (socket === opened) {
        socket = null;
        isSubscribed = false;
      }
      failures += 1;
    });
  };

  const take = async (text: string) => {
    const frame = reading(() => fieldsOf(parseFrame(text), 'a frame'));
    // A frame that cannot be read may have been about an order.
    if (frame.outcome === 'failed') return tell({ kind: 'orders', accountId: null });
    const topic = asText(frame.value.topic) ?? '';
    if (WAITS.test(asText(frame.value.message) ?? '') && brokerage.streamToken !== null)
      send(JSON.stringify({ session: brokerage.streamToken }));
    if (topic === 'system' && frame.value.success !== undefined) subscribe();
    if (topic === 'sts') noteStanding(frame.value);
    if (topic === 'sor') tell({ kind: 'orders', accountId: accountIn(frame.value) });
    if (topic === 'str') await tellExecutions(frame.value.args);
    if (topic.startsWith('smd+')) tellQuote(Number.parseInt(topic.slice(4), 10), frame.value);
    return undefined;
  };

  const subscribe = () => {
    failures = 0;
    isSubscribed = true;
    // Executions of the last day too: the stream may have been away.
    for (const wish of ['sor+{}', 'str+{"realtimeUpdatesOnly":false,"days":1}']) send(wish);
    askForQuotes();
  };

  const send = (text: string) => {
    if (socket?.readyState === WebSocket.OPEN) socket.send(text);
  };

  const askForQuotes = () => {
    for (const conid of watched.keys()) send(`smd+${conid}+${JSON.stringify({ fields: QUOTE_FIELDS })}`);
  };

  /** A frame holds only what changed. */
  const tellQuote = (conid: number, frame: Fields) => {
    const known = watched.get(conid);
    if (!known) return;
    known.row = { ...known.row, ...frame };
    const quote = reading(() => parseQuote(known.row, known.symbol));
    if (quote.outcome === 'ok' && quote.value) tell({ kind: 'quote', quote: quote.value });
  };

  const noteStanding = (frame: Fields) => {
    const args = reading(() => fieldsOf(frame.args, 'the standing'));
    if (args.outcome === 'failed') return;
    const { authenticated, connected, competing } = args.value;
    const isCompeting = asFlag(competing) === true;
    const isGone = asFlag(authenticated) === false || asFlag(connected) === false;
    if (isCompeting || isGone) brokerage.lostByStream(isCompeting);
  };

  const tellExecutions = async (rows: unknown) => {
    const executions = await tools.readExecutions(rows);
    if (executions.outcome === 'failed') return tell({ kind: 'orders', accountId: null });
    for (const { accountId, execution } of executions.value)
      tell({ kind: 'execution', accountId, execution });
    return undefined;
  };

  /** Once a second: keeps the stream alive, gives up one that has gone silent, and tries again after a pause. */
  let second = 0;
  let isConnecting = false;
  const watch = () => {
    second += 1;
    if (socket && Date.now() - heardAt > SILENCE_MS) drop();
    if (second % TIC_S === 0) send('tic');
    if (second % QUOTES_AGAIN_S === 0) askForQuotes();
    const pause = Math.min(PAUSE_MAX_S, 2 ** Math.min(failures, 6));
    if (socket || isConnecting || second % pause !== 0) return;
    isConnecting = true;
    void connect().finally(() => {
      isConnecting = false;
    });
  };

  return {
    listen(listener: (news: BrokerNews) => void): () => void {
      listeners.add(listener);
      timer ??= setInterval(watch, 1_000).unref();
      if (!socket && !isConnecting) {
        isConnecting = true;
        void connect().finally(() => {
          isConnecting = false;
        });
      }
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) stop();
      };
    },
    watch(symbols: ReadonlyMap<number, Symbol>) {
      for (const conid of watched.keys()) if (!symbols.has(conid)) send(`umd+${conid}+{}`);
      watched = new Map([...symbols].map(([conid, symbol]) => [conid, { symbol, row: {} }]));
      askForQuotes();
    },
    close() {
      listeners.clear();
      stopState();
      stop();
    },
  };

  function stop() {
    if (timer) clearInterval(timer);
    timer = null;
    drop();
  }
}

function accountIn(frame: Fields): BrokerAccountId | null {
  const rows = reading(() => rowsOf(frame.args, 'the orders'));
  const first = rows.outcome === 'ok' ? rows.value[0] : undefined;
  return asText(first?.acct ?? first?.account) as BrokerAccountId | null;
}

function parseFrame(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}

/** Said where the cookie was not taken: the session is then told by a frame. */
const WAITS = /waiting for session/i;
const HANDSHAKE_MS = 10_000;
const FRAME_MAX = 4_194_304;
/** The vendor's heart beats every ten seconds. */
const SILENCE_MS = 35_000;
const TIC_S = 50;
/** Prices stop after a quarter of an hour unless they are asked for again. */
const QUOTES_AGAIN_S = 600;
const PAUSE_MAX_S = 60;
