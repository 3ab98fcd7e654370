// What a stream of prices has said: the newest trade and quote of each symbol since it began, and trading halts. Where it lost
// something, its prices are complete from then on only, so that what was before is asked for.
import type { TradingHalt } from '#engine/market-data/accept-quotes.ts';
import type { Instant } from '#units/instant.ts';
import { newerOf, type Snapshot } from '../rows.ts';
import type { PriceMessage } from './price-frame.ts';

export type PricedMessage = Extract<PriceMessage, { readonly symbol: string }>;

export type PriceBook = {
  take(message: PricedMessage, at: Instant): void;
  /** From now on the stream speaks of every symbol. */
  begin(at: Instant): void;
  end(at: Instant): void;
  completeSince(): Instant | null;
  apply(snapshots: ReadonlyMap<string, Snapshot>): ReadonlyMap<string, Snapshot>;
  haltOf(symbol: string, trade: Snapshot['trade']): TradingHalt | null;
};

export function createPriceBook(): PriceBook {
  const newest = new Map<string, Snapshot>();
  const halts = createHalts();
  let completeSince: Instant | null = null;
  /** Something of it is unknown. */
  const forget = (symbol: string, at: Instant) => {
    newest.delete(symbol);
    if (completeSince !== null) completeSince = at;
  };
  return {
    take(message, at) {
      const { symbol } = message;
      switch (message.kind) {
        case 'trade':
        case 'quote':
          return void newest.set(symbol, newerOf(newest.get(symbol), snapshotOf(message)));
        case 'bar': {
          const isMissed = (newest.get(symbol)?.trade?.at ?? 0) < message.at;
          const isSince = completeSince !== null && message.at >= completeSince;
          return isSince && isMissed ? forget(symbol, at) : undefined;
        }
        case 'corrected':
          return forget(symbol, at);
        default:
          return halts.take(message);
      }
    },
    begin: (at) => void (completeSince = at),
    end(at) {
      completeSince = null;
      newest.clear();
      halts.miss(at);
    },
    completeSince: () => completeSince,
    apply: (snapshots) =>
      new Map([...snapshots].map(([symbol, one]) => [symbol, newerOf(one, newest.get(symbol) ?? one)])),
    haltOf: halts.find,
  };
}

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
