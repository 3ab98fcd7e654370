// What a strategy that was read is called, which type it is, and what it is compared with.
import type { StrategyDefinition } from '#engine/strategy/definition.ts';
import type { Style } from '../builder-input.ts';
import { marketFund, type NamedInstrument } from './market-names.ts';
import type { ReadStrategy } from './conversation.ts';
import type { Said } from './said.ts';
import type { Universe } from './universe.ts';

export function benchmarkOf({ symbols, kind }: Universe, instruments: readonly NamedInstrument[]): string {
  if (kind === 'crypto')
    return instruments.find(({ symbol }) => symbol.startsWith('BTC'))?.symbol ?? symbols[0]!;
  return kind === 'forex' ? symbols[0]! : (marketFund(instruments) ?? symbols[0]!);
}

export function nameOf(said: Said, universe: Universe, type: string): string {
  const options = said.get('options')?.structure.replaceAll('_', ' ');
  const style = said.get('style')?.replaceAll('_', ' ');
  const how =
    options ?? (type === 'ranking' ? 'strongest' : type === 'pairs' ? 'pair' : (style ?? 'own rules'));
  return nameBy(how, universe);
}

export function nameBy(how: string, { symbols, kind }: Universe): string {
  const what =
    symbols.length <= 3
      ? symbols.join(', ')
      : { equity: 'shares', forex: 'currencies', crypto: 'crypto', futures: 'futures' }[kind];
  return `${how.charAt(0).toUpperCase()}${how.slice(1)}, ${what}`;
}

export function typeOf(
  style: Style | undefined,
  definition: StrategyDefinition | null,
): ReadStrategy['strategyType'] {
  if (definition?.options !== undefined) return 'hybrid';
  if (style !== undefined) return style === 'breakout' ? 'trend_following' : style;
  if (definition === null) return 'hybrid';
  if (definition.rule.type === 'ranking') return 'momentum';
  if (definition.rule.type === 'pairs') return 'mean_reversion';
  const measures = Object.values(definition.features).map(({ indicator }) => indicator);
  if (
    measures.some((one) => one === 'rsi' || one === 'zscore' || one === 'bollinger' || one === 'stochastic')
  )
    return 'mean_reversion';
  if (measures.includes('roc')) return 'momentum';
  return measures.length > 0 ? 'trend_following' : 'hybrid';
}
