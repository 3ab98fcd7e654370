// The vendor's websocket as an early signal. It may lose or repeat frames, so listeners keep polling.
import type { BrokerAnswer, BrokerExecution, BrokerNews, QuoteNews } from '#ports/broker.ts';
import type { BrokerAccountId, Symbol } from '#units/identifiers.ts';
import { type Fields, reading } from '../../answer-fields.ts';
import { createStreamSocket } from '../../stream-socket.ts';
import type { Permit } from '../sign-in/authorizer.ts';
import type { Brokerage } from '../inner-session/brokerage.ts';
import { parseQuote, QUOTE_FIELDS } from '../market-data/parse-quote.ts';
import { parseFrame, type StreamFrame } from './stream-frame.ts';

type StreamTools = {
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

export type Stream = {
  /** Returns the unsubscribe function. */
  listen(listener: (news: BrokerNews) => void): () => void;
  /** Streams the prices of these contracts, by the vendor's contract id, and of no others. Returns what ends it. */
  watch(symbols: ReadonlyMap<number, Symbol>, hear: (news: QuoteNews) => void): () => void;
  /** See the port. */
  stretch(): number | null;
  close(): void;
};

/** Connects for the first listener, of news or of prices, and stays connected until the last one leaves. */
export function createStream(tools: StreamTools): Stream {
  const { brokerage } = tools;
  const listeners = new Set<(news: BrokerNews) => void>();
  let [isSubscribed, stretches] = [false, 0];
  const tell = (news: BrokerNews) => {
    for (const listener of listeners) listener(news);
  };
  const socket = createStreamSocket({
    address: () => addressOf(tools, isWanted),
    silenceMs: SILENCE_MS,
    onText: (text) => void take(text),
    onGone: () => {
      isSubscribed = false;
      quotes.lose();
    },
    onSecond: (second) => {
      if (second % TIC_S === 0) socket.send('tic');
      if (second % QUOTES_AGAIN_S === 0) quotes.ask();
    },
  });
  const quotes = watchedQuotes(socket.send);
  const isWanted = () => listeners.size > 0 || quotes.isWatched();
  const subscribe = () => {
    socket.succeeded();
    isSubscribed = true;
    stretches += 1;
    // Includes executions of the last day: the stream may have been down.
    for (const topic of ['sor+{}', 'str+{"realtimeUpdatesOnly":false,"days":1}']) socket.send(topic);
    quotes.ask();
  };
  const take = async (text: string) => {
    const { frame, waitsForSession } = parseFrame(text);
    if (waitsForSession && brokerage.streamToken !== null)
      socket.send(JSON.stringify({ session: brokerage.streamToken }));
    if (frame.kind === 'ready') subscribe();
    // It may have been a price.
    if (frame.kind === 'unreadable') quotes.askAnew();
    else if (isSubscribed) quotes.heard();
    if (frame.kind === 'quote') quotes.take(frame);
    else if (frame.kind === 'session_lost') brokerage.lostByStream(frame.isCompeting);
    else for (const news of await newsOf(frame, tools)) tell(news);
  };
  const stopState = brokerage.onChange((state) => {
    // A restarted session has no subscriptions.
    if (state.status !== 'connected') quotes.lose();
    else if (isSubscribed) subscribe();
    tell({ kind: 'session', state });
  });
  return {
    listen(listener) {
      listeners.add(listener);
      socket.start();
      return () => {
        listeners.delete(listener);
        if (!isWanted()) socket.stop();
      };
    },
    watch(symbols, hear) {
      quotes.watch(symbols, hear);
      socket.start();
      return () => {
        quotes.forget(hear);
        if (!isWanted()) socket.stop();
      };
    },
    stretch: () => (isSubscribed && brokerage.state.status === 'connected' ? stretches : null),
    close() {
      listeners.clear();
      stopState();
      socket.stop();
    },
  };
}

async function addressOf({ url, permit, brokerage }: StreamTools, isListenedTo: () => boolean) {
  const kept = brokerage.streamToken === null ? await brokerage.keepAlive() : null;
  const allowed = await permit();
  if (kept?.outcome === 'failed' || allowed.outcome === 'failed' || !isListenedTo()) return null;
  return {
    url: `${url}?${allowed.value.streamQuery}`,
    headers: { cookie: `api=${brokerage.streamToken ?? ''}` },
  };
}

async function newsOf(frame: StreamFrame, { readExecutions }: StreamTools): Promise<readonly BrokerNews[]> {
  // An unreadable frame may have concerned an order.
  if (frame.kind === 'unreadable') return [{ kind: 'orders', accountId: null }];
  if (frame.kind === 'orders') return [{ kind: 'orders', accountId: frame.accountId }];
  if (frame.kind !== 'executions') return [];
  const executions = await readExecutions(frame.rows);
  if (executions.outcome === 'failed') return [{ kind: 'orders', accountId: null }];
  return executions.value.map((one) => ({ kind: 'execution', ...one }));
}

/** The contracts whose prices are subscribed. A frame holds only changed fields, the first one after a subscription all. */
function watchedQuotes(send: (text: string) => void) {
  let watched = new Map<number, { readonly symbol: Symbol; row: Fields }>();
  let hear: ((news: QuoteNews) => void) | null = null;
  const ask = () => {
    for (const conid of watched.keys()) send(`smd+${conid}+${JSON.stringify({ fields: QUOTE_FIELDS })}`);
  };
  const lose = () => {
    for (const one of watched.values()) one.row = {};
    hear?.({ kind: 'gap' });
  };
  const leave = (kept: ReadonlyMap<number, unknown>) => {
    for (const conid of watched.keys()) if (!kept.has(conid)) send(`umd+${conid}+{}`);
  };
  return {
    ask,
    lose,
    askAnew() {
      lose();
      ask();
    },
    isWatched: () => hear !== null,
    heard: () => hear?.({ kind: 'alive' }),
    watch(symbols: ReadonlyMap<number, Symbol>, listener: (news: QuoteNews) => void) {
      leave(symbols);
      watched = new Map([...symbols].map(([conid, symbol]) => [conid, { symbol, row: {} }]));
      hear = listener;
      ask();
    },
    forget(listener: (news: QuoteNews) => void) {
      if (hear !== listener) return;
      leave(new Map());
      watched = new Map();
      hear = null;
    },
    take({ conid, fields }: { readonly conid: number; readonly fields: Fields }) {
      const known = watched.get(conid);
      if (!known) return;
      known.row = { ...known.row, ...fields };
      if (WHOLE_FIELDS.some((field) => known.row[field] === undefined)) return;
      const quote = reading(() => parseQuote(known.row, known.symbol));
      if (quote.outcome === 'failed') lose();
      else if (quote.value) hear?.({ kind: 'quote', quote: quote.value });
    },
  };
}

/** Without the last price and its availability, nobody knows whether a price is of now. */
const WHOLE_FIELDS = ['31', '6509'] as const;
const TIC_S = 50;
/** The vendor sends a heartbeat every ten seconds. */
const SILENCE_MS = 35_000;
/** Prices stop after 15 minutes unless the subscription is renewed. */
const QUOTES_AGAIN_S = 600;
