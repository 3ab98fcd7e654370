// Telegram by its Bot API (https://core.telegram.org/bots/api): messages to chats that people linked, and what they say to the bot.
import type { ChatInbox, ChatWord, NewsChannel, NewsOutcome } from '#ports/news-channel.ts';

type Options = {
  /** Whoever has it is the bot. It stands in each address, so no address is logged. */
  readonly token: string;
  readonly url?: string;
  /** Our own public address, for links. */
  readonly publicUrl: string;
  readonly timeoutMs?: number;
};

export type TelegramAddress = { readonly chat: number };

const ANSWERS_WITHIN_MS = 10_000;
const LISTENS_SECONDS = 25;

export function telegram({
  token,
  url = 'https://api.telegram.org',
  publicUrl,
  timeoutMs = ANSWERS_WITHIN_MS,
}: Options): NewsChannel & ChatInbox {
  async function ask(method: string, body: object, signal: AbortSignal): Promise<Asked> {
    try {
      const response = await fetch(`${url}/bot${token}/${method}`, {
        method: 'POST',
        headers: { 'content-type': 'application/json' },
        body: JSON.stringify(body),
        redirect: 'error',
        signal,
      });
      const text = await response.text();
      return { status: response.status, answer: parse(text) };
    } catch (error) {
      const { name } = error as Error;
      return { code: name === 'TimeoutError' || name === 'AbortError' ? 'late' : 'unreachable' };
    }
  }
  return {
    async send({ address, title, message, path }) {
      const { chat } = JSON.parse(address) as TelegramAddress;
      const text = [title, message, ...(path === '' ? [] : [`${publicUrl}${path}`])].join('\n');
      const body = { chat_id: chat, text, link_preview_options: { is_disabled: true } };
      return outcomeOf(await ask('sendMessage', body, AbortSignal.timeout(timeoutMs)));
    },
    async listen(after, signal) {
      const body = {
        timeout: LISTENS_SECONDS,
        allowed_updates: ['message'],
        ...(after !== null && { offset: after + 1 }),
      };
      const patience = AbortSignal.timeout(LISTENS_SECONDS * 1_000 + timeoutMs);
      const asked = await ask('getUpdates', body, AbortSignal.any([signal, patience]));
      if ('code' in asked || asked.status !== 200 || !Array.isArray(asked.answer.result)) return null;
      return (asked.answer.result as Update[]).flatMap(wordOf);
    },
  };
}

type Asked = { readonly status: number; readonly answer: Answer } | { readonly code: 'late' | 'unreachable' };
type Answer = {
  readonly description?: unknown;
  readonly result?: unknown;
  readonly parameters?: { readonly retry_after?: unknown };
};

function parse(text: string): Answer {
  try {
    const answer: unknown = JSON.parse(text);
    return typeof answer === 'object' && answer !== null ? answer : {};
  } catch {
    // A proxy's page: the status says enough.
    return {};
  }
}

function outcomeOf(asked: Asked): NewsOutcome {
  if ('code' in asked) return { outcome: 'later', code: asked.code, afterSeconds: null };
  const { status, answer } = asked;
  if (status === 200) return { outcome: 'taken' };
  const said = typeof answer.description === 'string' ? answer.description : '';
  // Blocked by the person, or deleted with their account.
  if (status === 403 || (status === 400 && said.includes('chat not found'))) return { outcome: 'gone' };
  const after = answer.parameters?.retry_after;
  const afterSeconds = typeof after === 'number' && after > 0 ? after : null;
  if (status === 429) return { outcome: 'later', code: 'busy', afterSeconds };
  if (status >= 500) return { outcome: 'later', code: 'unwell', afterSeconds };
  return { outcome: 'refused', status };
}

type Update = {
  readonly update_id: number;
  readonly message?: {
    readonly text?: string;
    readonly chat: { readonly id: number; readonly type: string };
    readonly from?: { readonly username?: string; readonly first_name?: string };
  };
};

/** What is no text is heard as an empty word, so that it counts as heard. */
function wordOf({ update_id: number, message }: Update): ChatWord[] {
  if (typeof number !== 'number') return [];
  const { text = '', chat, from } = message ?? {};
  const name = from?.username === undefined ? from?.first_name : `@${from.username}`;
  const address = chat?.type === 'private' ? addressOf(chat.id) : null;
  return [{ number, text, from: name ?? 'a chat', address }];
}

function addressOf(chat: number): string {
  return JSON.stringify({ chat } satisfies TelegramAddress);
}
