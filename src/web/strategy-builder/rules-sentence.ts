// What a strategy does, in one short paragraph: what it trades, when, and what ends a position.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import { describeDefinition } from './describe-definition.ts';

export function rulesSentence(definition: StrategyDefinition): string {
  const lines = describeDefinition(definition);
  const of = (wanted: string) => lines.find(({ part }) => part === wanted)?.text ?? '';
  const rules = lines
    .filter(({ part }) => part.startsWith('rule') || part === 'options')
    .map(({ title, text }) => `${title}${title === 'Options' ? ':' : ''} ${lowered(text)}.`);
  const stop = lines.some(({ part }) => part === 'exits.stopPercent')
    ? ` Stop at ${definition.exits.stopPercent}%.`
    : '';
  return `Trades ${of('universe')}. ${rules.join(' ')}${stop} Checked ${lowered(of('schedule'))}.`;
}

/** A name in capitals stays as it is. */
function lowered(text: string): string {
  return /^[A-Z][a-z ]/.test(text) ? text.charAt(0).toLowerCase() + text.slice(1) : text;
}
