// The closes of the market: each is sealed over itself and the one before it, so that a changed one is found by its seal.
import { createHash } from 'node:crypto';
import type { Close, Finding, Market } from './rows.ts';

export function checkCloses({ closes }: Market): Finding[] {
  return [...closes].flatMap(([symbol, bars]) =>
    bars.flatMap((bar, index): Finding[] => {
      const before = bar.link === 1 ? firstSeal(symbol, bar.source) : sealOf(bars[index - 1], bar.link - 1);
      // Of a series that was removed the seals stay with the bars that follow it.
      if (before === null) return [];
      const seal = sealAfter(before, bar);
      if (seal === bar.seal) return [];
      return [
        {
          kind: 'close',
          row: `${symbol} on ${bar.date}`,
          figure: 'seal',
          stored: bar.seal,
          recomputed: seal,
        },
      ];
    }),
  );
}

function sealOf(bar: Close | undefined, link: number): string | null {
  return bar?.link === link ? bar.seal : null;
}

const firstSeal = (symbol: string, source: string) =>
  createHash('sha256').update(`${symbol}|1d|${source}`).digest('hex');

function sealAfter(before: string, bar: Close): string {
  const hash = createHash('sha256').update(Buffer.from(before, 'hex'));
  for (const time of [bar.closedAt, bar.openedAt]) {
    const bytes = Buffer.alloc(8);
    bytes.writeBigInt64BE(BigInt(Date.parse(time)));
    hash.update(bytes);
  }
  hash.update(bar.date);
  for (const number of [bar.open, bar.high, bar.low, bar.close, bar.volume]) {
    const bytes = Buffer.alloc(8);
    bytes.writeDoubleBE(number);
    hash.update(bytes);
  }
  return hash.digest('hex');
}
