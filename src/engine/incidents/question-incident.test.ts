import fc from 'fast-check';
import { expect, test } from 'vitest';
import type { BrokerConnectionId, Symbol } from '#units/identifiers.ts';
import { QUESTION_TOPICS } from '../execution/orders/question-topic.ts';
import { type DeclinedQuestion, questionIncidents } from './question-incident.ts';

const ID = 'c1' as BrokerConnectionId;
const declined: fc.Arbitrary<DeclinedQuestion> = fc.record({
  symbol: fc.constantFrom('AAA', 'BBB').map((symbol) => symbol as Symbol),
  isExit: fc.boolean(),
  topic: fc.constantFrom(...QUESTION_TOPICS),
  question: fc.string(),
});

test('there is one for a connection while a question is open that its owner has not answered', () => {
  fc.assert(
    fc.property(fc.array(declined, { maxLength: 5 }), fc.boolean(), (all, withoutMarketData) => {
      const open = all.filter(({ topic }) => !(withoutMarketData && topic === 'market_data'));
      const incidents = questionIncidents(ID, all, { withoutMarketData });
      expect(incidents).toHaveLength(open.length === 0 ? 0 : 1);
      for (const { facts } of incidents) {
        expect(facts).toMatchObject({ topic: open[0]?.topic, said: open[0]?.question });
        expect(facts.instruments).toBe(new Set(open.map(({ symbol }) => symbol)).size);
      }
    }),
  );
});

test('an exit that was declined is to be acted on now: its position stays open', () => {
  fc.assert(
    fc.property(fc.array(declined, { minLength: 1, maxLength: 5 }), (all) => {
      const [incident] = questionIncidents(ID, all, { withoutMarketData: false });
      const hasExit = all.some(({ isExit }) => isExit);
      expect(incident?.severity).toBe(hasExit ? 'act_now' : undefined);
    }),
  );
});
