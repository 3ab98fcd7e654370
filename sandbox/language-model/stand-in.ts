// A stand-in for services with a language model, written against their documentation alone: Anthropic's Messages API and OpenAI's
// chat completions, both as streams. It is no model: it answers by a script, and without one by a fixed rule. The same request gives
// the same answer.
import type { ServerResponse } from 'node:http';
import type { FastifyInstance, FastifyReply } from 'fastify';
import { anthropicEvents, anthropicRefusal, type AnthropicRequest } from './anthropic-wire.ts';
import { chatChunks, chatRefusal, type ChatRequest } from './chat-wire.ts';
import { fixedAnswer } from './fixed-answer.ts';
import type { Asked, Told, Turn } from './turn.ts';

/** The only model that it has. Whoever sees an answer sees this name. */
export const STAND_IN_MODEL = 'stand-in';

export type LanguageModelStandIn = {
  /** Taken in order, one a request. When none is left, `otherwise` answers. */
  readonly script: Turn[];
  readonly asked: Asked[];
  otherwise: (asked: Asked) => Turn;
};

export function mountLanguageModelStandIn(
  app: FastifyInstance,
  { key }: { readonly key: string },
): LanguageModelStandIn {
  const standIn: LanguageModelStandIn = { script: [], asked: [], otherwise: fixedAnswer };
  app.post('/v1/messages', async (request, reply) => {
    const body = request.body as AnthropicRequest;
    if (request.headers['x-api-key'] !== key)
      return reply.status(401).send(anthropicRefusal('authentication_error'));
    if (body.model !== STAND_IN_MODEL) return reply.status(404).send(anthropicRefusal('not_found_error'));
    return answer(reply, standIn, {
      asked: { instructions: textOf(body.system), messages: messagesOf(body.messages), body },
      fail: () => anthropicRefusal('api_error'),
      frames: (told) => anthropicEvents(body, told),
    });
  });
  app.post('/v1/chat/completions', async (request, reply) => {
    const body = request.body as ChatRequest;
    if (request.headers.authorization !== `Bearer ${key}`)
      return reply.status(401).send(chatRefusal('invalid_api_key'));
    if (body.model !== STAND_IN_MODEL) return reply.status(404).send(chatRefusal('model_not_found'));
    const all = messagesOf(body.messages);
    const asked = {
      instructions: all.find(({ role }) => role === 'system')?.text ?? '',
      messages: all.filter(({ role }) => role !== 'system'),
      body,
    };
    return answer(reply, standIn, {
      asked,
      fail: () => chatRefusal('server_error'),
      frames: (told) => chatChunks(body, told),
    });
  });
  return standIn;
}

type Protocol = {
  readonly asked: Asked;
  readonly fail: () => object;
  readonly frames: (told: Told) => Iterable<string>;
};

async function answer(
  reply: FastifyReply,
  standIn: LanguageModelStandIn,
  { asked, fail, frames }: Protocol,
): Promise<FastifyReply> {
  if (standIn.asked.push(asked) > ASKED_KEPT) standIn.asked.shift();
  const turn = standIn.script.shift() ?? standIn.otherwise(asked);
  if (turn.does === 'fail') {
    if (turn.retryAfterSeconds !== undefined) reply.header('retry-after', String(turn.retryAfterSeconds));
    return reply.status(turn.status).send(fail());
  }
  reply.hijack();
  const { raw } = reply;
  raw.writeHead(200, { 'content-type': 'text/event-stream; charset=utf-8', 'cache-control': 'no-cache' });
  const written: string[] = [];
  for (const frame of frames(toldBy(turn, asked))) {
    if (raw.destroyed) return reply;
    written.push(frame);
    if (!raw.write(frame)) await drained(raw);
    const isMiddle = written.length === MIDDLE;
    if (turn.does === 'drop' && isMiddle) {
      raw.destroy();
      return reply;
    }
    if (turn.does === 'stall' && isMiddle) {
      await new Promise((resolve) => raw.once('close', resolve));
      return reply;
    }
  }
  raw.end();
  return reply;
}

/** A sandbox runs for weeks. */
const ASKED_KEPT = 1_000;

async function drained(raw: ServerResponse): Promise<void> {
  await new Promise<void>((resolve) => {
    const go = () => {
      raw.off('drain', go).off('close', go);
      resolve();
    };
    raw.once('drain', go).once('close', go);
  });
}

/** Frames after which an answer is under way and not over, in both protocols. */
const MIDDLE = 4;

function toldBy(turn: Exclude<Turn, { does: 'fail' }>, asked: Asked): Told {
  const tokensIn = Math.ceil(JSON.stringify(asked.body).length / 4);
  const told = (text: string, ends: Told['ends'] = 'whole'): Told => ({
    pieces: text.match(/[^]{1,24}/g) ?? [],
    ends,
    tokensIn,
  });
  switch (turn.does) {
    case 'refuse':
      return told('', 'refused');
    case 'say':
      return told(turn.text);
    case 'endless':
      return { pieces: endless(), ends: 'whole', tokensIn };
    case 'cut':
      return told(half(turn.object));
    case 'truncate':
      return told(half(turn.object), 'too_long');
    default:
      return told(JSON.stringify(turn.object));
  }
}

function half(object: unknown): string {
  const text = JSON.stringify(object);
  return text.slice(0, Math.floor(text.length / 2));
}

function endless(): Iterable<string> {
  return {
    *[Symbol.iterator]() {
      yield '{"name":"';
      for (;;) yield 'again and again '.repeat(64);
    },
  };
}

type Content = string | readonly { readonly type: string; readonly text?: string }[] | undefined;

function textOf(content: Content): string {
  if (typeof content === 'string') return content;
  return (content ?? []).map(({ text }) => text ?? '').join('');
}

function messagesOf(messages: readonly { readonly role: string; readonly content: Content }[]) {
  return messages.map(({ role, content }) => ({ role, text: textOf(content) }));
}
