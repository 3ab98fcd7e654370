// Which definitions a research run can trade: a signal rule over one instrument priced in dollars, looked at daily.
import type { SignalRule } from '../strategy/definition.ts';
import type { ResearchInput } from './execution.ts';

/** The rule of the definition. Throws RangeError with the reason when it cannot be run this way. */
export function requireResearchable({ definition, instrument }: ResearchInput): SignalRule {
  if (definition.rule.type !== 'signals') throw new RangeError('a research run needs a signal rule');
  if (definition.universe.length !== 1 || definition.universe[0] !== instrument.symbol) {
    throw new RangeError('a research run trades exactly one instrument, the one of the universe');
  }
  if (instrument.currency !== 'USD') throw new RangeError('a research run needs prices in dollars');
  if (definition.schedule.every !== 'day') throw new RangeError('a research run looks at every bar');
  if (definition.exits.maxBars !== undefined)
    throw new RangeError('a research run knows no longest holding time');
  return definition.rule;
}
