// The vendor's stream of prices: signs in, subscribes, and keeps what it says. What it left out while it was away is asked
// for by request; nothing is concluded from its silence.
import type { TradingHalt } from '#engine/market-data/accept-quotes.ts';
import { type Instant, instant } from '#units/instant.ts';
import { createStreamSocket } from '../../../broker/stream-socket.ts';
import type { AlpacaFeedConfig } from '../config.ts';
import type { Snapshot } from '../rows.ts';
import { createPriceBook } from './price-book.ts';
import { type PriceMessage, parsePriceFrame } from './price-frame.ts';

export type PriceStream = {
  /** Connects, and stays connected until stopped. */
  start(): void;
  /** Snapshots that were asked for after this instant miss nothing; null while the stream does not speak of every symbol. */
  completeSince(): Instant | null;
  /** Snapshots, with what the stream has said besides. */
  apply(snapshots: ReadonlyMap<string, Snapshot>): ReadonlyMap<string, Snapshot>;
  /** `trade` is the newest one known. */
  haltOf(symbol: string, trade: Snapshot['trade']): TradingHalt | null;
  stop(): void;
};

type Watched = Pick<AlpacaFeedConfig, 'keyId' | 'secretKey'> & {
  /** The vendor's symbols of now. When they change, another connection follows. */
  readonly symbols: () => readonly string[];
};

export function createPriceStream(url: string, watched: Watched, now: () => Instant): PriceStream {
  const book = createPriceBook();
  let heardAt = instant(0);
  let secondsOpen: number | null = null;
  const isCurrent = () => signIn.isFor(watched.symbols());
  const signIn = createSignIn(watched, {
    send: (message) => socket.send(JSON.stringify(message)),
    drop: () => socket.drop(),
    settled(isWhole) {
      secondsOpen = null;
      socket.succeeded();
      if (isWhole) book.begin(now());
    },
  });
  const socket = createStreamSocket({
    address: () => Promise.resolve({ url }),
    silenceMs: SILENCE_MS,
    pings: true,
    isDetached: true,
    onOpen: () => void (secondsOpen = 0),
    onText(text) {
      const messages = parsePriceFrame(text);
      if (messages === null) return socket.drop();
      heardAt = now();
      for (const message of messages)
        if ('symbol' in message) book.take(message, heardAt);
        else signIn.take(message);
    },
    onGone() {
      secondsOpen = null;
      signIn.reset();
      book.end(now());
    },
    onSecond() {
      if ((secondsOpen !== null && ++secondsOpen > SETTLE_S) || !isCurrent()) socket.drop();
    },
  });
  return {
    start: () => socket.start(),
    completeSince: () => (isCurrent() && now() - heardAt <= STALE_MS ? book.completeSince() : null),
    apply: book.apply,
    haltOf: book.haltOf,
    stop: () => socket.stop(),
  };
}

type Conversation = {
  readonly send: (message: object) => void;
  readonly drop: () => void;
  /** Everything is subscribed that the plan has; `isWhole`: trades and quotes of every symbol. */
  readonly settled: (isWhole: boolean) => void;
};

/** The messages of control, from the greeting to the last subscription. */
function createSignIn({ keyId, secretKey, symbols }: Watched, { send, drop, settled }: Conversation) {
  /** What is still to be subscribed, each by itself, so that a refusal says of what; null before the keys are accepted. */
  let awaited: Channels[] | null = null;
  let subscribed: Subscription = { trades: [], quotes: [] };
  /** Asked for on this connection; null before. */
  let asked: readonly string[] | null = null;
  const covers = (names: readonly string[]) => (asked ?? []).every((one) => names.includes(one));
  const subscribe = () => {
    const [next] = awaited ?? [];
    if (next === undefined) return settled(covers(subscribed.trades) && covers(subscribed.quotes));
    return send({ action: 'subscribe', ...Object.fromEntries(next.map((channel) => [channel, asked])) });
  };
  return {
    take(message: Exclude<PriceMessage, { readonly symbol: string }>) {
      switch (message.kind) {
        case 'connected':
          return send({ action: 'auth', key: keyId, secret: secretKey });
        case 'authenticated':
          awaited = [...CHANNELS];
          asked = symbols();
          return subscribe();
        case 'subscribed':
          subscribed = message;
          awaited?.shift();
          return subscribe();
        case 'refused':
          if (!SKIPPABLE.has(message.code) || awaited === null || awaited.length === 0) return drop();
          awaited.shift();
          return subscribe();
        case 'other':
          return undefined;
        default:
          return message satisfies never;
      }
    },
    isFor: (wanted: readonly string[]) =>
      asked === null ||
      (asked.length === wanted.length && asked.every((one, index) => one === wanted[index])),
    reset() {
      awaited = null;
      asked = null;
      subscribed = { trades: [], quotes: [] };
    },
  };
}

type Subscription = Pick<Extract<PriceMessage, { kind: 'subscribed' }>, 'trades' | 'quotes'>;
type Channels = readonly ('trades' | 'quotes' | 'bars' | 'statuses')[];

/** Halts are known of more instruments than a plan may have prices of. */
const CHANNELS: readonly Channels[] = [['statuses'], ['trades', 'quotes', 'bars']];
/** Syntax (a stream without that channel), number of symbols, subscription: the plan lacks it, the rest goes on. */
const SKIPPABLE: ReadonlySet<number> = new Set([400, 405, 409]);
/** From the open connection to the last confirmation. */
const SETTLE_S = 10;
/** Broad funds trade every second. A stream that says nothing for so long is not relied on. */
const STALE_MS = 5_000;
const SILENCE_MS = 35_000;
