// The bot by which people get news in Telegram; none unless TELEGRAM_BOT is set.
import { isLoopback } from './loopback.ts';

export type TelegramEnvironment = {
  /** Without the @. */
  readonly bot: string;
  readonly token: string;
  /** Null: Telegram's own address. */
  readonly url: string | null;
};

/** Throws an Error that names the setting and the way out. */
export function readTelegram(text: (name: string) => string | null): TelegramEnvironment | null {
  const [name, token, url] = [text('TELEGRAM_BOT'), text('TELEGRAM_BOT_TOKEN'), text('TELEGRAM_URL')];
  if (name === null) {
    const stray = token !== null ? 'TELEGRAM_BOT_TOKEN' : url !== null ? 'TELEGRAM_URL' : null;
    if (stray === null) return null;
    throw new Error(`${stray} is set without TELEGRAM_BOT, the name of the bot: set it, or remove ${stray}`);
  }
  const bot = name.replace(/^@/, '');
  if (!/^\w{5,32}$/.test(bot))
    throw new Error(`TELEGRAM_BOT must be the name of a bot, such as bellwether_bot, not "${name}"`);
  if (token === null || !/^\d+:[\w-]{20,}$/.test(token))
    throw new Error('TELEGRAM_BOT needs TELEGRAM_BOT_TOKEN, which BotFather gives, such as 123456:ABC-DEF…');
  if (url !== null && (!URL.canParse(url) || !isLoopback(new URL(url).hostname)))
    throw new Error(
      'TELEGRAM_URL names a stand-in on this machine, such as http://127.0.0.1:3270: for Telegram itself remove it',
    );
  return { bot, token, url: url?.replace(/\/+$/, '') ?? null };
}
