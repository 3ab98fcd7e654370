// Prices of now: from the stream while it speaks, on top of what was asked for since it began; by request otherwise.
import type { MarketDataAnswer } from '#ports/market-data.ts';
import { SECOND_MS } from '#units/instant.ts';
import { keepAnswer } from '../keep-answer.ts';
import type { Snapshot } from './rows.ts';
import type { PriceStream } from './stream/price-stream.ts';

export type Snapshots = () => Promise<MarketDataAnswer<ReadonlyMap<string, Snapshot>>>;

/** `stream`: null where prices come by request alone. */
export function keepSnapshots(ask: Snapshots, stream: PriceStream | null, now: () => number): Snapshots {
  return stream === null ? keepAnswer(QUOTES_MS, now, ask) : streamed(ask, stream, now);
}

function streamed(ask: Snapshots, stream: PriceStream, now: () => number): Snapshots {
  let base: { readonly value: ReadonlyMap<string, Snapshot>; readonly askedAt: number } | null = null;
  const refresh = keepAnswer(QUOTES_MS, now, async () => {
    const askedAt = now();
    const answer = await ask();
    if (answer.ok) base = { value: answer.value, askedAt };
    return answer;
  });
  return async () => {
    stream.start();
    const since = stream.completeSince();
    if (since !== null && base !== null && base.askedAt > since && now() - base.askedAt <= BASE_MS)
      return { ok: true, value: stream.apply(base.value) };
    const answer = await refresh();
    return answer.ok ? { ok: true, value: stream.apply(answer.value) } : answer;
  };
}

const QUOTES_MS = 1.5 * SECOND_MS;
/** What a stream lost without a trace is found after so long. */
const BASE_MS = 30 * SECOND_MS;
