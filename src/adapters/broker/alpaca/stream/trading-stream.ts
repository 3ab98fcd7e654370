// The vendor's stream of order events as an early signal. Its execution ids are not said to be those of the account
// activities, which the books are kept by. So a fill on the stream has its row read from the list of fills at once, and that
// row is the news: one request instead of the six of a look. A frame that is lost, repeated or late changes nothing.
import type { BrokerCredentials, BrokerExecution, BrokerList, BrokerNews } from '#ports/broker.ts';
import type { BrokerAccountId, ClientOrderId } from '#units/identifiers.ts';
import { type Instant, instant, SECOND_MS } from '#units/instant.ts';
import { createStreamSocket } from '../../stream-socket.ts';
import { parseTradeFrame, type TradeFrame } from './trade-frame.ts';

export type TradingStream = {
  /** Returns the unsubscribe function. */
  listen(listener: (news: BrokerNews) => void): () => void;
  /** See the port. */
  stretch(): number | null;
  close(): void;
};

type Tools = {
  /** wss://paper-api.alpaca.markets/stream */
  readonly url: string;
  readonly credentials: BrokerCredentials;
  readonly accountId: BrokerAccountId;
  readonly executions: (since: Instant) => Promise<BrokerList<BrokerExecution>>;
  readonly noteOrder: (brokerOrderId: string, clientOrderId: ClientOrderId | null) => void;
};

/** Connects for the first listener and stays connected until the last one leaves. */
export function createTradingStream(tools: Tools): TradingStream {
  const { url, credentials, accountId, noteOrder } = tools;
  const listeners = new Set<(news: BrokerNews) => void>();
  const tell = (news: BrokerNews) => {
    for (const listener of listeners) listener(news);
  };
  const ask = (action: string, data: object) => socket.send(JSON.stringify({ action, data }));
  const fills = createFillReader(tools, tell);
  let stretches = 0;
  let isListening = false;

  const take = (frame: TradeFrame) => {
    switch (frame.kind) {
      case 'authorized':
        return ask('listen', { streams: ['trade_updates'] });
      case 'unauthorized':
        return socket.drop();
      case 'listening':
        socket.succeeded();
        isListening = true;
        stretches += 1;
        // Events before now were missed: the lists say what became of the orders.
        return tell({ kind: 'orders', accountId });
      case 'fill':
        noteOrder(frame.brokerOrderId, frame.clientOrderId);
        return fills.read(frame);
      case 'changed':
        return tell({ kind: 'orders', accountId });
      case 'other':
        return undefined;
      default:
        return frame satisfies never;
    }
  };
  const socket = createStreamSocket({
    address: () => Promise.resolve(listeners.size === 0 ? null : { url }),
    silenceMs: SILENCE_MS,
    pings: true,
    onOpen: () => ask('authenticate', keysOf(credentials)),
    onText: (text) => take(parseTradeFrame(text)),
    onGone: () => {
      isListening = false;
    },
    onSecond: () => undefined,
  });
  return {
    listen(listener) {
      listeners.add(listener);
      socket.start();
      return () => {
        listeners.delete(listener);
        if (listeners.size === 0) socket.stop();
      };
    },
    stretch: () => (isListening ? stretches : null),
    close() {
      listeners.clear();
      socket.stop();
    },
  };
}

/** One reading at a time, which covers every fill that was reported before it began. */
function createFillReader({ accountId, executions }: Tools, tell: (news: BrokerNews) => void) {
  let waiting: Extract<TradeFrame, { kind: 'fill' }>[] = [];
  let isReading = false;

  const readAll = async () => {
    while (waiting.length > 0) {
      const reported = waiting;
      waiting = [];
      const since = instant(Math.min(...reported.map(({ at }) => at)) - OVERLAP_MS);
      const list = await executions(since);
      const found = list.outcome === 'ok' ? list.value : [];
      for (const execution of found) tell({ kind: 'execution', accountId, execution });
      const isShown = ({ brokerOrderId }: { readonly brokerOrderId: string }) =>
        found.some((one) => one.brokerOrderId === brokerOrderId);
      const isUnsure = list.outcome === 'failed' || list.unread.length > 0;
      if (isUnsure || !reported.every(isShown)) tell({ kind: 'orders', accountId });
    }
  };
  return {
    read(fill: Extract<TradeFrame, { kind: 'fill' }>) {
      waiting.push(fill);
      if (isReading) return;
      isReading = true;
      void readAll().finally(() => {
        isReading = false;
      });
    },
  };
}

function keysOf({ accessToken, keyId, secretKey }: BrokerCredentials) {
  return accessToken === undefined
    ? { key_id: String(keyId), secret_key: String(secretKey) }
    : { oauth_token: String(accessToken) };
}

/** The stream and the list may round a time apart. */
const OVERLAP_MS = SECOND_MS;
/** A ping is sent every ten seconds; the vendor documents no heartbeat of its own. */
const SILENCE_MS = 35 * SECOND_MS;
