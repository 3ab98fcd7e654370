import { readFileSync } from 'node:fs';
import path from 'node:path';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { parseDefinition } from '#engine/strategy/parsing/parse-definition.ts';
import { readStrategy } from '#rules/strategy-builder/reading/read-strategy.ts';
import { judge, parseDescriptions, type Verdict } from './descriptions.ts';
import { MARKET } from './example-market.ts';
import { pressedDescriptions } from './pressing.ts';

const listOf = (file: string) =>
  parseDescriptions(readFileSync(path.join(import.meta.dirname, file), 'utf8'));
const LIST = listOf('descriptions.txt');

describe('200 descriptions written by hand before the reader', () => {
  const judged = LIST.map((one) => ({ ...one, ...judge(one, MARKET) }));

  it('are 200', () => expect(LIST).toHaveLength(200));

  it('never become something else than was meant', () => {
    expect(
      judged.filter(({ verdict }) => verdict === 'wrong').map(({ text, gave }) => ({ text, gave })),
    ).toEqual([]);
  });

  it('give what was meant in at least 160 cases; the rest ask back', () => {
    expect(judged.filter(({ verdict }) => verdict === 'meant').length).toBeGreaterThanOrEqual(160);
  });
});

describe('60 descriptions written after the reader, in other ways', () => {
  const judged = listOf('later-descriptions.txt').map((one) => ({ ...one, ...judge(one, MARKET) }));

  it('are 60, and never become something else than was meant', () => {
    expect(judged).toHaveLength(60);
    expect(
      judged.filter(({ verdict }) => verdict === 'wrong').map(({ text, gave }) => ({ text, gave })),
    ).toEqual([]);
  });

  it('give what was meant in at least 48 cases', () => {
    expect(judged.filter(({ verdict }) => verdict === 'meant').length).toBeGreaterThanOrEqual(48);
  });
});

describe('descriptions in words that the lexicon lacks', () => {
  it('become what was meant in most cases by the meanings that are offered, and rarely something else', () => {
    const count = (wanted: Verdict) =>
      pressedDescriptions().filter(({ verdict }) => verdict === wanted).length;
    expect(count('meant')).toBeGreaterThanOrEqual(10);
    expect(count('wrong')).toBeLessThanOrEqual(2);
  });
});

describe('any text', () => {
  const words = [...new Set(LIST.flatMap(({ text }) => text.split(/\s+/)))];

  it('becomes a definition that the parser accepts, or nothing', () => {
    const text = fc.array(fc.constantFrom(...words), { maxLength: 25 }).map((parts) => parts.join(' '));
    fc.assert(
      fc.property(fc.oneof(text, fc.string({ maxLength: 200 })), (one) => {
        const read = readStrategy({ messages: [one], answers: [] }, MARKET);
        if (read.outcome !== 'ready') return;
        expect(parseDefinition(JSON.parse(JSON.stringify(read.definition)))).toMatchObject({ ok: true });
      }),
      { numRuns: 200 },
    );
  });

  it('points at places that are in it', () => {
    for (const { text } of LIST) {
      const { links, questions, refusals } = readStrategy({ messages: [text], answers: [] }, MARKET);
      const spans = [
        ...links.map(({ span }) => span),
        ...[...questions, ...refusals].flatMap((one) => one.spans),
      ];
      for (const { from, to } of spans) expect(0 <= from && from < to && to <= text.length).toBe(true);
    }
  });
});
