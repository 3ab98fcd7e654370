// The Messages API as a stream of server-sent events. An answer to a schema is text where structured output was asked for, and the
// input of the forced tool where it was not.
import type { Told } from './turn.ts';

export type AnthropicRequest = {
  readonly model: string;
  readonly system?: string | readonly { readonly type: string; readonly text: string }[];
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  }[];
  readonly tools?: readonly { readonly name: string }[];
};

export function anthropicRefusal(type: string): object {
  return { type: 'error', error: { type, message: 'said by the stand-in' } };
}

export function* anthropicEvents(
  { model, tools }: AnthropicRequest,
  { pieces, ends, tokensIn }: Told,
): Iterable<string> {
  const tool = tools?.[0]?.name;
  const event = (type: string, data: object) =>
    `event: ${type}\ndata: ${JSON.stringify({ type, ...data })}\n\n`;
  yield event('message_start', {
    message: {
      id: 'msg_stand_in',
      type: 'message',
      role: 'assistant',
      model,
      content: [],
      stop_reason: null,
      stop_sequence: null,
      usage: { input_tokens: tokensIn, output_tokens: 1 },
    },
  });
  yield event('content_block_start', {
    index: 0,
    content_block:
      tool === undefined
        ? { type: 'text', text: '' }
        : { type: 'tool_use', id: 'toolu_stand_in', name: tool, input: {} },
  });
  let characters = 0;
  for (const piece of pieces) {
    characters += piece.length;
    yield event('content_block_delta', {
      index: 0,
      delta:
        tool === undefined
          ? { type: 'text_delta', text: piece }
          : { type: 'input_json_delta', partial_json: piece },
    });
  }
  yield event('content_block_stop', { index: 0 });
  const whole = tool === undefined ? 'end_turn' : 'tool_use';
  yield event('message_delta', {
    delta: {
      stop_reason: { whole, too_long: 'max_tokens', refused: 'refusal' }[ends],
      stop_sequence: null,
    },
    usage: { output_tokens: Math.ceil(characters / 4) },
  });
  yield event('message_stop', {});
}
