// The vendor's stream of prices: the newest trade and quote of each instrument as they come, and trading halts. What it left
// out while it was away is asked for by request; nothing is concluded from its silence.
import type { TradingHalt } from '#engine/market-data/accept-quotes.ts';
import { type Instant, instant } from '#units/instant.ts';
import { createStreamSocket } from '../../../broker/stream-socket.ts';
import type { AlpacaFeedConfig } from '../config.ts';
import { newerOf, type Snapshot } from '../rows.ts';
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

export function createPriceStream(
  url: string,
  { keyId, secretKey, symbols }: Pick<AlpacaFeedConfig, 'keyId' | 'secretKey' | 'symbols'>,
  now: () => Instant,
): PriceStream {
  const newest = new Map<string, Snapshot>();
  const halts = createHalts();
  /** What is still to be subscribed, each by itself, so that a refusal says of what; null before the keys are accepted. */
  let awaited: Channels[] | null = null;
  let subscribed = { trades: [] as readonly string[], quotes: [] as readonly string[] };
  let completeSince: Instant | null = null;
  let heardAt = instant(0);
  let secondsOpen: number | null = null;

  const subscribe = () => {
    const [next] = awaited ?? [];
    if (next !== undefined)
      return socket.send(
        JSON.stringify({ action: 'subscribe', ...Object.fromEntries(next.map((one) => [one, symbols])) }),
      );
    secondsOpen = null;
    socket.succeeded();
    const covers = (channel: readonly string[]) => symbols.every((one) => channel.includes(one));
    if (covers(subscribed.trades) && covers(subscribed.quotes)) completeSince = now();
  };
  const refuse = (code: number) => {
    if (!SKIPPABLE.has(code) || awaited === null || awaited.length === 0) return socket.drop();
    awaited.shift();
    return subscribe();
  };
  /** Something of it is unknown: it is asked for. */
  const forget = (symbol: string) => {
    newest.delete(symbol);
    if (completeSince !== null) completeSince = now();
  };
  const take = (message: PriceMessage): void => {
    switch (message.kind) {
      case 'connected':
        return socket.send(JSON.stringify({ action: 'auth', key: keyId, secret: secretKey }));
      case 'authenticated':
        awaited = [...CHANNELS];
        return subscribe();
      case 'subscribed':
        subscribed = message;
        awaited?.shift();
        return subscribe();
      case 'refused':
        return refuse(message.code);
      case 'trade':
      case 'quote':
        return void newest.set(message.symbol, newerOf(newest.get(message.symbol), snapshotOf(message)));
      case 'bar': {
        const isMissed = (newest.get(message.symbol)?.trade?.at ?? 0) < message.at;
        return completeSince !== null && message.at >= completeSince && isMissed
          ? forget(message.symbol)
          : undefined;
      }
      case 'corrected':
        return forget(message.symbol);
      case 'halted':
      case 'resumed':
        return halts.take(message);
      case 'other':
        return undefined;
      default:
        return message satisfies never;
    }
  };
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
      for (const message of messages) take(message);
    },
    onGone() {
      awaited = null;
      secondsOpen = null;
      completeSince = null;
      subscribed = { trades: [], quotes: [] };
      newest.clear();
      halts.miss(now());
    },
    onSecond() {
      if (secondsOpen !== null && ++secondsOpen > SETTLE_S) socket.drop();
    },
  });
  return {
    start: () => socket.start(),
    completeSince: () => (now() - heardAt <= STALE_MS ? completeSince : null),
    apply: (snapshots) =>
      new Map([...snapshots].map(([symbol, one]) => [symbol, newerOf(one, newest.get(symbol) ?? one)])),
    haltOf: halts.find,
    stop: () => socket.stop(),
  };
}

type Channels = readonly ('trades' | 'quotes' | 'bars' | 'statuses')[];

/** Halts are known of more instruments than a plan may have prices of. */
const CHANNELS: readonly Channels[] = [['statuses'], ['trades', 'quotes', 'bars']];

/** A halt ends when the vendor says so. Of one whose end may have been missed, a later trade says so too. */
function createHalts() {
  const halts = new Map<string, { readonly halt: TradingHalt; missedSince: Instant | null }>();
  return {
    take({ kind, symbol, at, said }: Extract<PriceMessage, { kind: 'halted' | 'resumed' }>) {
      const known = halts.get(symbol);
      if (known !== undefined && at < known.halt.since) return;
      if (kind === 'halted') halts.set(symbol, { halt: { since: at, said }, missedSince: null });
      else halts.delete(symbol);
    },
    miss(at: Instant) {
      for (const one of halts.values()) one.missedSince ??= at;
    },
    find(symbol: string, trade: Snapshot['trade']): TradingHalt | null {
      const known = halts.get(symbol);
      if (known === undefined) return null;
      const { missedSince } = known;
      if (missedSince === null || trade === null || trade.at <= missedSince) return known.halt;
      halts.delete(symbol);
      return null;
    },
  };
}

function snapshotOf(message: Extract<PriceMessage, { kind: 'trade' | 'quote' }>): Snapshot {
  const side = (price: number) => (price === 0 ? null : price);
  return message.kind === 'trade'
    ? { trade: { price: message.price, at: message.at }, bid: null, ask: null, quotedAt: null }
    : { trade: null, bid: side(message.bid), ask: side(message.ask), quotedAt: message.at };
}

/** Syntax (a stream without that channel), number of symbols, subscription: the plan lacks it, the rest goes on. */
const SKIPPABLE: ReadonlySet<number> = new Set([400, 405, 409]);
/** From the open connection to the last confirmation. */
const SETTLE_S = 10;
/** Broad funds trade every second. A stream that says nothing for so long is not relied on. */
const STALE_MS = 5_000;
const SILENCE_MS = 35_000;
