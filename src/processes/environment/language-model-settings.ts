// Which language model reads descriptions beside the grammar; none unless LANGUAGE_MODEL is set.
import { isLoopback } from './loopback.ts';
import { oneOf, wholeNumber } from './setting.ts';

type Text = (name: string) => string | null;

export type LanguageModelEnvironment = {
  readonly vendor: 'anthropic' | 'openai-compatible';
  readonly model: string;
  /** Null: a server on this machine that wants none. */
  readonly key: string | null;
  /** Null: Anthropic's own address. */
  readonly url: string | null;
  /** Dollars per million tokens. */
  readonly prices: { readonly input: number; readonly output: number };
  /** Of one person, in one day. */
  readonly daily: { readonly calls: number; readonly tokens: number; readonly dollars: number };
};

/** Throws an Error that names the setting and the way out. */
export function readLanguageModel(text: Text): LanguageModelEnvironment | null {
  const vendor = oneOf('LANGUAGE_MODEL', text('LANGUAGE_MODEL'), CHOICES, 'none');
  if (vendor === 'none') {
    const stray = OTHERS.find((name) => text(name) !== null);
    if (stray !== undefined)
      throw new Error(`${stray} is set without LANGUAGE_MODEL: set it to ${VENDORS}, or remove ${stray}`);
    return null;
  }
  const url = readUrl(text('LANGUAGE_MODEL_URL'));
  if (vendor === 'openai-compatible' && url === null)
    throw new Error(
      'LANGUAGE_MODEL=openai-compatible needs LANGUAGE_MODEL_URL, the base address of the service, such as https://models.example.com/v1',
    );
  const key = text('LANGUAGE_MODEL_KEY');
  if (key === null && (url === null || !isLoopback(new URL(url).hostname)))
    throw new Error(`LANGUAGE_MODEL=${vendor} needs LANGUAGE_MODEL_KEY, the key that the service gave you`);
  const model = text('LANGUAGE_MODEL_ID');
  if (model === null)
    throw new Error(`LANGUAGE_MODEL=${vendor} needs LANGUAGE_MODEL_ID, the name of the model at the service`);
  return { vendor, model, key, url, prices: readPrices(vendor, text), daily: readDaily(text) };
}

const CHOICES = ['none', 'anthropic', 'openai-compatible'] as const;
const VENDORS = 'anthropic or openai-compatible';
const OTHERS = [
  'LANGUAGE_MODEL_ID',
  'LANGUAGE_MODEL_KEY',
  'LANGUAGE_MODEL_URL',
  'LANGUAGE_MODEL_PRICES',
  'LANGUAGE_MODEL_DAILY_CALLS',
  'LANGUAGE_MODEL_DAILY_TOKENS',
  'LANGUAGE_MODEL_DAILY_DOLLARS',
] as const;

function readUrl(url: string | null): string | null {
  if (url === null) return null;
  if (!URL.canParse(url) || !/^https?:$/.test(new URL(url).protocol))
    throw new Error(
      `LANGUAGE_MODEL_URL must be an address, such as https://models.example.com/v1, not "${url}"`,
    );
  const { protocol, hostname, username, search } = new URL(url);
  if (username !== '' || search !== '')
    throw new Error(
      'LANGUAGE_MODEL_URL takes an address only: a key belongs into LANGUAGE_MODEL_KEY, which is not logged',
    );
  if (protocol !== 'https:' && !isLoopback(hostname))
    throw new Error(
      `LANGUAGE_MODEL_URL is ${url}, and what people describe would travel unencrypted: use https`,
    );
  return url.replace(/\/+$/, '');
}

function readPrices(vendor: string, text: Text): LanguageModelEnvironment['prices'] {
  const prices = text('LANGUAGE_MODEL_PRICES');
  const found = /^(\d{1,4}(?:\.\d{1,6})?)\/(\d{1,4}(?:\.\d{1,6})?)$/.exec(prices ?? '');
  if (found === null)
    throw new Error(
      `LANGUAGE_MODEL=${vendor} needs LANGUAGE_MODEL_PRICES, dollars per million tokens in and out, such as 3/15, or 0/0 for a model of your own${prices === null ? '' : `, not "${prices}"`}`,
    );
  return { input: Number(found[1]), output: Number(found[2]) };
}

function readDaily(text: Text): LanguageModelEnvironment['daily'] {
  const daily = (what: string, fallback: number, max: number) =>
    wholeNumber(`LANGUAGE_MODEL_DAILY_${what}`, text(`LANGUAGE_MODEL_DAILY_${what}`), {
      fallback,
      min: 0,
      max,
    });
  return {
    calls: daily('CALLS', 60, 100_000),
    tokens: daily('TOKENS', 1_000_000, 1_000_000_000),
    dollars: daily('DOLLARS', 2, 100_000),
  };
}
