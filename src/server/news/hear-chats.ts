// What people say to our bot: a code that links their chat, or the word that ends it. An update that is heard twice changes nothing the
// second time.
import { randomUUID } from 'node:crypto';
import type { ChatInbox, ChatWord, NewsChannel } from '#ports/news-channel.ts';
import {
  dropAddress,
  findByFingerprint,
  fingerprintOf,
  listAddresses,
  putAddress,
  takeTelegramCode,
} from '#records/news/news-addresses.ts';
import { saveSecurityEvent } from '#records/identity/security-log.ts';
import { ADDRESSES_MAX, CHAT_WORDS } from '#rules/news/news-terms.ts';
import type { Dependencies } from '../http/dependencies.ts';
import { securityNotice } from '../identity/security-notice.ts';
import { hashOfCode } from './link-telegram.ts';
import { sealAddress } from './seal-address.ts';

type Hearing = Pick<Dependencies, 'records' | 'now' | 'keys'> & { readonly bot: NewsChannel };

/** Answers the number up to which everything was heard; null when nothing was. */
export async function hearChats(
  inbox: ChatInbox,
  { after, signal }: { readonly after: number | null; readonly signal: AbortSignal },
  hearing: Hearing,
): Promise<{ readonly heard: number | null; readonly failed: boolean }> {
  const words = await inbox.listen(after, signal);
  let heard = after;
  for (const word of words ?? []) {
    await hearWord(word, hearing);
    heard = Math.max(heard ?? 0, word.number);
  }
  return { heard, failed: words === null };
}

async function hearWord({ address, text, from }: ChatWord, hearing: Hearing): Promise<void> {
  if (address === null) return;
  const answer = await answerTo(text.trim(), { address, from }, hearing);
  // Whether the answer arrives changes nothing: the person sees the link on the site.
  await hearing.bot.send({ address, id: randomUUID(), title: CHAT_WORDS[answer], message: '', path: '' });
}

type Chat = { readonly address: string; readonly from: string };

async function answerTo(text: string, chat: Chat, hearing: Hearing): Promise<keyof typeof CHAT_WORDS> {
  const [, code] = /^\/start ([\w-]{16,64})$/.exec(text) ?? [];
  if (code !== undefined) return link(code, chat, hearing);
  if (text !== '/stop') return 'help';
  const { database } = hearing.records;
  return database.transaction().execute(async (trx) => {
    const found = await findByFingerprint(trx, 'telegram', fingerprintOf(chat.address));
    if (found === undefined) return 'notLinked';
    await dropAddress(trx, found.id, 'removed');
    return 'stopped';
  });
}

async function link(
  code: string,
  { address, from }: Chat,
  { records, now, keys }: Hearing,
): Promise<'linked' | 'unknown' | 'full'> {
  const [id, at] = [randomUUID(), now()];
  return records.database.transaction().execute(async (trx) => {
    const userId = await takeTelegramCode(trx, { hash: hashOfCode(code), at });
    if (userId === null) return 'unknown';
    if ((await listAddresses(trx, userId)).length >= ADDRESSES_MAX) return 'full';
    await putAddress(trx, {
      id,
      userId,
      channel: 'telegram',
      name: plainName(from),
      sealedAddress: sealAddress(address, id, keys),
      fingerprint: fingerprintOf(address),
      vapidKey: null,
      at,
    });
    await saveSecurityEvent(trx, { userId, kind: 'telegram_linked', address: '', userAgent: '', at });
    await securityNotice(trx, {
      userId,
      change: 'telegram_linked',
      device: `Telegram, ${plainName(from)}`,
      at,
    });
    return 'linked';
  });
}

/** Whoever writes to the bot chose it. */
function plainName(from: string): string {
  return from.replaceAll(/\p{C}/gu, '').trim().slice(0, NAME_MAX) || 'a chat';
}

const NAME_MAX = 60;
