// Chat completions as a stream of chunks, the usage in a last one of its own, and the mark of the end.
import type { Told } from './turn.ts';

export type ChatRequest = {
  readonly model: string;
  readonly messages: readonly {
    readonly role: string;
    readonly content: string | readonly { readonly type: string; readonly text?: string }[];
  }[];
};

export function chatRefusal(code: string): object {
  return { error: { message: 'said by the stand-in', type: 'invalid_request_error', param: null, code } };
}

export function* chatChunks({ model }: ChatRequest, { pieces, ends, tokensIn }: Told): Iterable<string> {
  const chunk = (data: object) =>
    `data: ${JSON.stringify({ id: 'chatcmpl-stand-in', object: 'chat.completion.chunk', created: 0, model, ...data })}\n\n`;
  const choice = (delta: object, finish_reason: string | null = null) =>
    chunk({ choices: [{ index: 0, delta, finish_reason }] });
  yield choice({ role: 'assistant', content: '' });
  if (ends === 'refused') yield choice({ refusal: 'The stand-in declines.' });
  let characters = 0;
  for (const piece of pieces) {
    characters += piece.length;
    yield choice({ content: piece });
  }
  yield choice({}, ends === 'too_long' ? 'length' : 'stop');
  const completion_tokens = Math.ceil(characters / 4);
  yield chunk({
    choices: [],
    usage: { prompt_tokens: tokensIn, completion_tokens, total_tokens: tokensIn + completion_tokens },
  });
  yield 'data: [DONE]\n\n';
}
