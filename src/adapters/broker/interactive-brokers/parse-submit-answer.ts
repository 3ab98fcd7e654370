// The four shapes in which the vendor answers an order or a reply, all with status 200, and the refusals around them.
import { asText, type Fields } from '../answer-fields.ts';
import type { Exchange } from '../exchange.ts';
import { errorText } from './failure-of.ts';

export type SubmitAnswer =
  | { readonly shape: 'accepted'; readonly brokerOrderId: string }
  | {
      readonly shape: 'question';
      readonly replyId: string;
      readonly messageIds: readonly string[];
      readonly text: string;
    }
  | { readonly shape: 'rejected'; readonly reason: string }
  /** An order with this client id is already there. */
  | { readonly shape: 'duplicate'; readonly reason: string }
  /** Turned away before anyone read it. */
  | {
      readonly shape: 'turned_away';
      readonly code: 'unauthorized' | 'no_session' | 'rate_limited';
      readonly reason: string;
    }
  | { readonly shape: 'unclear'; readonly reason: string };

export function parseSubmitAnswer(answer: Extract<Exchange, { kind: 'answered' }>): SubmitAnswer {
  const { status, body } = answer;
  const said = errorText(answer);
  if (said?.includes(DUPLICATE_TEXT)) return { shape: 'duplicate', reason: said };
  if (status === 401 || status === 403 || status === 410)
    return { shape: 'turned_away', code: 'unauthorized', reason: said ?? `HTTP ${status}` };
  if (status === 429) return { shape: 'turned_away', code: 'rate_limited', reason: 'too many requests' };
  if (said && NO_SESSION_TEXT.test(said)) return { shape: 'turned_away', code: 'no_session', reason: said };
  if (status >= 500) return { shape: 'unclear', reason: said ?? `HTTP ${status}` };
  if (said)
    return UNCLEAR_TEXT.test(said) ? { shape: 'unclear', reason: said } : { shape: 'rejected', reason: said };
  if (status >= 300) return { shape: 'unclear', reason: `HTTP ${status}` };
  return parseBody(body);
}

function parseBody(body: unknown): SubmitAnswer {
  const first: unknown = Array.isArray(body) ? body[0] : body;
  if (typeof first !== 'object' || first === null || (Array.isArray(body) && body.length !== 1))
    return { shape: 'unclear', reason: 'the broker answered with something that is no order answer' };
  const fields = first as Fields;
  const brokerOrderId = asText(fields.order_id);
  if (brokerOrderId) return { shape: 'accepted', brokerOrderId };
  if (fields.prompt === true)
    return { shape: 'rejected', reason: asText(fields.text) ?? 'the broker asks for a choice' };
  const replyId = asText(fields.id);
  if (replyId && Array.isArray(fields.messageIds))
    return {
      shape: 'question',
      replyId,
      messageIds: fields.messageIds.map(String),
      text: Array.isArray(fields.message) ? fields.message.map(String).join(' ') : '',
    };
  return { shape: 'unclear', reason: 'the broker answered with something that is no order answer' };
}

/** Start of the refusal of a repeated client order id, under any status. */
const DUPLICATE_TEXT = 'Local order ID=';
const NO_SESSION_TEXT = /no bridge|query \/accounts first|not authenticated/i;
const UNCLEAR_TEXT = /time[d]?[ -]?out|failed to process|internal|reply id not found/i;
