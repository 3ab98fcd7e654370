// What the stand-in answers when no script says otherwise: one rule for the first instrument of the list in the instructions whose
// symbol the person wrote, or for the first of the list. It reads nothing else.
import { decisionAnswer } from './decision-answer.ts';
import type { Asked, Turn } from './turn.ts';

export function fixedAnswer({ instructions, messages }: Asked): Turn {
  const decided = decisionAnswer(instructions, messages.at(-1)?.text ?? '');
  if (decided !== null) return { does: 'answer', object: decided };
  const text = messages.map(({ text: said }) => said).join('\n');
  if (instructions.startsWith('Answer with the word')) return { does: 'answer', object: { word: 'ready' } };
  const listed = [...instructions.matchAll(/^([A-Z][A-Z0-9./]{0,11}) \| /gm)].map(
    ([, symbol = '']) => symbol,
  );
  const named = listed.find((symbol) => new RegExp(`\\b${symbol.replace(/\W/g, '\\$&')}\\b`).test(text));
  const symbol = named ?? listed[0] ?? 'SPY';
  return { does: 'answer', object: ruleFor(symbol) };
}

function ruleFor(symbol: string): object {
  const price = (op: string) => [{ all: [{ left: 'close', op, right: 'average' }] }];
  return {
    missing: 'nothing',
    instruments: [symbol],
    schedule: 'day',
    direction: 'long',
    features: [
      {
        name: 'average',
        indicator: 'sma',
        length: 200,
        of: null,
        symbol: null,
        lag: null,
        output: null,
        deviations: null,
        fast: null,
        slow: null,
        signal: null,
        smooth: null,
      },
    ],
    rule: 'signals',
    enter_long: price('above'),
    exit_long: price('below'),
    enter_short: [],
    exit_short: [],
    ranking: null,
    pair: null,
    weighting: { type: 'equal', length: null, annual_percent: null, weights: [] },
    gross_percent: 100,
    stop_percent: null,
    target_percent: null,
    bars_held: null,
    options: null,
    words: [],
  };
}
