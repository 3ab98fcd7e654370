import { createHash, randomBytes } from 'node:crypto';
import type { newsEndpoints } from '#contract/news.ts';
import { listAddresses, putTelegramCode } from '#records/news/news-addresses.ts';
import { ADDRESSES_MAX, CODE_MINUTES, NEWS_SENTENCES } from '#rules/news/news-terms.ts';
import { type Instant, isoText, MINUTE_MS } from '#units/instant.ts';
import type { Call } from '../http/call.ts';
import { notFound, refuse } from '../http/refusal.ts';

export const linkTelegram: Call<typeof newsEndpoints.linkTelegram> = async (
  { caller: { userId } },
  { records, config, now },
) => {
  if (config.telegramBot === null) return notFound();
  if ((await listAddresses(records.database, userId)).length >= ADDRESSES_MAX)
    return refuse('out_of_range', NEWS_SENTENCES.full);
  const code = randomBytes(CODE_BYTES).toString('base64url');
  const expiresAt = (now() + CODE_MINUTES * MINUTE_MS) as Instant;
  await putTelegramCode(records.database, { userId, hash: hashOfCode(code), expiresAt });
  return {
    url: `https://t.me/${config.telegramBot}?start=${code}`,
    code,
    expires_at: isoText(expiresAt),
  };
};

/** Telegram passes on at most 64 signs. */
const CODE_BYTES = 18;

/** Of 144 random bits: guessing is hopeless, so no slow hash is needed. */
export function hashOfCode(code: string): Buffer {
  return createHash('sha256').update(code).digest();
}
