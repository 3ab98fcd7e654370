// The questions of a broker that cost a connection its orders, as one incident: most are answered once for all of them.
import type { QuestionTopic } from '../execution/orders/question-topic.ts';
import type { BrokerConnectionId, Symbol } from '#units/identifiers.ts';
import type { NewIncident } from './incident-changes.ts';

/** The newest order of a deployment in an instrument, where it was declined; the newest question first. */
export type DeclinedQuestion = {
  readonly symbol: Symbol;
  /** It would have closed a position. */
  readonly isExit: boolean;
  readonly topic: QuestionTopic;
  /** As the broker asked it; may be empty. */
  readonly question: string;
};

/** None once its owner allows what the questions were about. An exit that was declined keeps a position open. */
export function questionIncidents(
  connectionId: BrokerConnectionId,
  declined: readonly DeclinedQuestion[],
  { withoutMarketData }: { readonly withoutMarketData: boolean },
): readonly NewIncident<'question_declined'>[] {
  const open = declined.filter(({ topic }) => topic !== 'market_data' || !withoutMarketData);
  const [newest] = open;
  if (newest === undefined) return [];
  const keepsOpen = open.some(({ isExit }) => isExit);
  const { topic, question: said } = newest;
  const instruments = new Set(open.map(({ symbol }) => symbol)).size;
  return [
    {
      kind: 'question_declined',
      subject: connectionId,
      facts: { topic, said, instruments },
      ...(keepsOpen && { severity: 'act_now' }),
    },
  ];
}
