// A stand-in for Telegram's Bot API (https://core.telegram.org/bots/api): messages to chats, and updates that wait until they are confirmed.
import { setTimeout as pause } from 'node:timers/promises';
import type { FastifyInstance } from 'fastify';
import type { Fault, Received } from './faults.ts';

export type TelegramStandIn = {
  readonly faults: Fault[];
  /** A person writes to the bot in a chat of this number. */
  say(chat: number, text: string, from?: { readonly username?: string; readonly first_name?: string }): void;
  /** The person blocks the bot. */
  block(chat: number): void;
  receivedIn(chat: number): readonly Received[];
};

type Update = { readonly update_id: number; readonly message: object };

export function mountTelegram(app: FastifyInstance, { token }: { readonly token: string }): TelegramStandIn {
  const faults: Fault[] = [];
  const chats = new Map<number, Received[]>();
  const blocked = new Set<number>();
  let updates: Update[] = [];
  let newest = 0;
  const refusal = (status: number, description: string, parameters?: object) => ({
    ok: false,
    error_code: status,
    description,
    ...(parameters && { parameters }),
  });
  app.post(`/bot${token}/sendMessage`, async (request, reply) => {
    const fault = faults.shift();
    if (fault?.afterMs !== undefined) await pause(fault.afterMs);
    if (fault !== undefined && !fault.drops) {
      const after = fault.retryAfterSeconds;
      return reply
        .status(fault.status)
        .send(refusal(fault.status, 'a fault', after === undefined ? undefined : { retry_after: after }));
    }
    const { chat_id: chat, text } = request.body as { chat_id: number; text: string };
    const known = chats.get(chat);
    if (known === undefined) return reply.status(400).send(refusal(400, 'Bad Request: chat not found'));
    if (blocked.has(chat))
      return reply.status(403).send(refusal(403, 'Forbidden: bot was blocked by the user'));
    if (text.length > 4_096) return reply.status(400).send(refusal(400, 'Bad Request: message is too long'));
    const [title = '', ...rest] = text.split('\n');
    known.push({ id: null, title, message: rest.join('\n'), at: Date.now() });
    if (fault?.drops) {
      reply.hijack();
      reply.raw.destroy();
      return reply;
    }
    return { ok: true, result: { message_id: known.length, chat: { id: chat } } };
  });
  app.post(`/bot${token}/getUpdates`, async (request, reply) => {
    const { offset = 0, timeout = 0 } = request.body as { offset?: number; timeout?: number };
    updates = updates.filter(({ update_id: number }) => number >= offset);
    const until = Date.now() + timeout * 1_000;
    while (updates.length === 0 && Date.now() < until && !reply.raw.destroyed) await pause(LOOK_MS);
    return { ok: true, result: updates };
  });
  return {
    faults,
    say(chat, text, from = { first_name: 'Ada' }) {
      if (!chats.has(chat)) chats.set(chat, []);
      blocked.delete(chat);
      newest += 1;
      const message = {
        message_id: newest,
        text,
        from,
        chat: { id: chat, type: chat > 0 ? 'private' : 'group' },
      };
      updates.push({ update_id: newest, message });
    },
    block: (chat) => void blocked.add(chat),
    receivedIn: (chat) => chats.get(chat) ?? [],
  };
}

const LOOK_MS = 20;
