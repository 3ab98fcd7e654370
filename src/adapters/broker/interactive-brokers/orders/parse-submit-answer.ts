// The four shapes in which the vendor answers an order or a reply, all with status 200, and the refusals around them.
import { asFlag, asText, type Fields } from '../../answer-fields.ts';
import type { Exchange } from '../../exchange.ts';
import { plainText } from '#units/plain-text.ts';
import { meaningOf } from '../../vendor-texts.ts';
import { errorText, GONE } from '../failure-of.ts';

type SubmitAnswer =
  | { readonly shape: 'accepted'; readonly brokerOrderId: string }
  | {
      readonly shape: 'question';
      readonly replyId: string;
      readonly messageIds: readonly string[];
      readonly text: string;
    }
  /** `said` quotes the vendor; empty when it gave no text. */
  | { readonly shape: 'rejected'; readonly said: string }
  /** A question with its own set of answers; we give none of them. */
  | { readonly shape: 'choice'; readonly text: string }
  /** An order with this client id already exists. */
  | { readonly shape: 'duplicate'; readonly reason: string }
  /** Turned away before the vendor read it. */
  | {
      readonly shape: 'turned_away';
      readonly code: 'unauthorized' | 'no_session' | 'rate_limited' | 'refused';
      readonly reason: string;
      readonly said: string;
    }
  | { readonly shape: 'unclear'; readonly reason: string };

export function parseSubmitAnswer(answer: Extract<Exchange, { kind: 'answered' }>): SubmitAnswer {
  const { status, body } = answer;
  const said = errorText(answer);
  const meaning = said === null ? null : meaningOf('interactive-brokers', said);
  if (said && meaning === 'duplicate_order') return { shape: 'duplicate', reason: said };
  if (status === 401) return turnedAway('unauthorized', status, said);
  if (status === GONE) return turnedAway('no_session', status, said);
  if (status === 403) return turnedAway('refused', status, said);
  if (status === 429) return turnedAway('rate_limited', status, said);
  if (status >= 500) return { shape: 'unclear', reason: said ?? `HTTP ${status}` };
  if (said) {
    const isRefusal = REFUSES.has(status) && meaning === null && !namesAnOrder(body);
    return isRefusal ? { shape: 'rejected', said: plainText(said) } : { shape: 'unclear', reason: said };
  }
  if (status >= 300) return { shape: 'unclear', reason: `HTTP ${status}` };
  return parseBody(body);
}

function turnedAway(
  code: Extract<SubmitAnswer, { shape: 'turned_away' }>['code'],
  status: number,
  said: string | null,
): SubmitAnswer {
  return { shape: 'turned_away', code, reason: said ?? `HTTP ${status}`, said: plainText(said ?? '') };
}

function parseBody(body: unknown): SubmitAnswer {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null || (Array.isArray(body) && body.length !== 1))
    return NO_ANSWER;
  const fields = first as Fields;
  const brokerOrderId = asText(fields.order_id);
  if (brokerOrderId) return { shape: 'accepted', brokerOrderId };
  if (asFlag(fields.prompt) === true || (asText(fields.reqId) !== null && Array.isArray(fields.options)))
    return { shape: 'choice', text: plainText(asText(fields.text) ?? '') };
  const replyId = asText(fields.id);
  if (replyId === null || (fields.messageIds === undefined && fields.message === undefined)) return NO_ANSWER;
  // A question without an id cannot be confirmed.
  return {
    shape: 'question',
    replyId,
    messageIds: textsOf(fields.messageIds),
    text: plainText(textsOf(fields.message).join(' ')),
  };
}

function textsOf(value: unknown): readonly string[] {
  if (Array.isArray(value)) return value.map((one) => asText(one) ?? UNREADABLE_ID);
  const text = asText(value);
  return text === null ? [] : [text];
}

/** Whether an answer that reports an error names an order anyway. */
function namesAnOrder(body: unknown): boolean {
  return typeof body === 'object' && body !== null && asText((body as Fields).order_id) !== null;
}

/** The id given to a question that we never confirm. */
const UNREADABLE_ID = '';

const NO_ANSWER = {
  shape: 'unclear',
  reason: 'the broker answered with something that is no order answer',
} as const;
/** With these statuses an error text means that the vendor rejects the order; 200 is the most common. */
const REFUSES: ReadonlySet<number> = new Set([200, 400, 422]);
