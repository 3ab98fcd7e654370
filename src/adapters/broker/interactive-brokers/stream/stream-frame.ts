// Parses one frame of the vendor's websocket.
import type { BrokerAccountId } from '#units/identifiers.ts';
import { asFlag, asText, type Fields, fieldsOf, reading, rowsOf } from '../../answer-fields.ts';

export type StreamFrame =
  | { readonly kind: 'ready' | 'other' | 'unreadable' }
  /** The trading session is gone, or another program has taken it. */
  | { readonly kind: 'session_lost'; readonly isCompeting: boolean }
  | { readonly kind: 'orders'; readonly accountId: BrokerAccountId | null }
  | { readonly kind: 'executions'; readonly rows: unknown }
  | { readonly kind: 'quote'; readonly conid: number; readonly fields: Fields };

type ParsedFrame = {
  readonly frame: StreamFrame;
  /** The cookie was not accepted: the session is then sent in a frame. */
  readonly waitsForSession: boolean;
};

export function parseFrame(text: string): ParsedFrame {
  const read = reading(() => fieldsOf(parseJson(text), 'a frame'));
  if (read.outcome === 'failed') return { frame: { kind: 'unreadable' }, waitsForSession: false };
  const fields = read.value;
  // The one frame that has a message and no topic.
  const waitsForSession = asText(fields.topic) === null && asText(fields.message) !== null;
  return { frame: frameOf(asText(fields.topic) ?? '', fields), waitsForSession };
}

function frameOf(topic: string, fields: Fields): StreamFrame {
  if (topic === 'system' && fields.success !== undefined) return { kind: 'ready' };
  if (topic === 'sts') return sessionOf(fields);
  if (topic === 'sor') return { kind: 'orders', accountId: accountIn(fields) };
  if (topic === 'str') return { kind: 'executions', rows: fields.args };
  if (topic.startsWith('smd+')) return { kind: 'quote', conid: Number.parseInt(topic.slice(4), 10), fields };
  return { kind: 'other' };
}

function sessionOf(fields: Fields): StreamFrame {
  const args = reading(() => fieldsOf(fields.args, 'the standing'));
  if (args.outcome === 'failed') return { kind: 'other' };
  const { authenticated, connected, competing } = args.value;
  const isCompeting = asFlag(competing) === true;
  const isGone = asFlag(authenticated) === false || asFlag(connected) === false;
  return isCompeting || isGone ? { kind: 'session_lost', isCompeting } : { kind: 'other' };
}

function accountIn(fields: Fields): BrokerAccountId | null {
  const rows = reading(() => rowsOf(fields.args, 'the orders'));
  const first = rows.outcome === 'ok' ? rows.value[0] : undefined;
  return asText(first?.acct ?? first?.account) as BrokerAccountId | null;
}

function parseJson(text: string): unknown {
  try {
    return JSON.parse(text);
  } catch {
    return null;
  }
}
