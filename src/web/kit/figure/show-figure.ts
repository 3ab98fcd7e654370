// Formats every figure on every screen: one minus sign, one way of rounding, one dash for missing values.

const MISSING = '–';
const MINUS = '\u2212';
const LOCALE = 'en-US';
const DAY_LOCALE = 'en-GB';

type Maybe = number | null | undefined;

type MoneyOptions = {
  /** 'auto' writes cents only where there are any. */
  readonly cents?: 'always' | 'never' | 'auto';
  /** Writes a plus before a gain. */
  readonly sign?: boolean;
  readonly currency?: string;
};

/** Natural units of a currency: $12,140.50. */
export function showMoney(amount: Maybe, options: MoneyOptions = {}): string {
  if (!isNumber(amount)) return MISSING;
  const { cents = 'always', sign = false, currency = 'USD' } = options;
  const whole = cents === 'never' || (cents === 'auto' && Math.round(amount * 100) % 100 === 0);
  return format(amount, {
    style: 'currency',
    currency,
    signDisplay: sign ? 'exceptZero' : 'negative',
    minimumFractionDigits: whole ? 0 : 2,
    maximumFractionDigits: whole ? 0 : 2,
  });
}

/** A value that already is in percent: 12.34%. */
export function showPercent(percent: Maybe, options: { decimals?: number; sign?: boolean } = {}): string {
  if (!isNumber(percent)) return MISSING;
  const { decimals = 2, sign = false } = options;
  return `${format(percent, {
    signDisplay: sign ? 'exceptZero' : 'negative',
    minimumFractionDigits: decimals,
    maximumFractionDigits: decimals,
  })}%`;
}

/** A part of the money, in percent: 20%, 33.3%. */
export function showShare(percent: Maybe): string {
  const isWhole = isNumber(percent) && Math.abs(percent - Math.round(percent)) < 0.05;
  return showPercent(percent, { decimals: isWhole ? 0 : 1 });
}

/** A fraction, such as a drawdown of -0.123, in percent with one decimal. */
export function showFraction(fraction: Maybe, options: { decimals?: number; sign?: boolean } = {}): string {
  return showPercent(isNumber(fraction) ? fraction * 100 : null, { decimals: 1, ...options });
}

/** A probability in percent. Nothing is certain, so none reads as 100 or as 0. */
export function showProbability(probability: number | null): string {
  if (probability !== null && probability > 0.999) return '>99.9%';
  if (probability !== null && probability < 0.001) return '<0.1%';
  return showFraction(probability);
}

/** Shares, lots or coins, with as many decimals as they have, at most eight. */
export function showQuantity(units: Maybe): string {
  return isNumber(units) ? format(units, { maximumFractionDigits: 8 }) : MISSING;
}

/** A quoted price: two decimals, or five where a pair or a coin below ten is quoted finer. */
export function showPrice(price: Maybe): string {
  if (!isNumber(price)) return MISSING;
  const isFine = Math.abs(price) < 10 && Math.abs(price * 100 - Math.round(price * 100)) > 1e-6;
  const places = isFine ? 5 : 2;
  return format(price, { minimumFractionDigits: places, maximumFractionDigits: places });
}

export function showNumber(value: Maybe, decimals = 2): string {
  if (!isNumber(value)) return MISSING;
  return format(value, { minimumFractionDigits: decimals, maximumFractionDigits: decimals });
}

export function showCount(count: Maybe): string {
  return isNumber(count) ? format(count, { maximumFractionDigits: 0 }) : MISSING;
}

/** '1 position', '2 positions'. */
export function showCounted(count: number, noun: string, plural = `${noun}s`): string {
  return `${showCount(count)} ${count === 1 ? noun : plural}`;
}

/** A day: 3 May 2024. Takes YYYY-MM-DD or an ISO 8601 instant, both read in UTC. */
export function showDate(iso: string | null | undefined): string {
  return showTime(iso, { day: 'numeric', month: 'short', year: 'numeric' });
}

/** A day and minute in UTC: 3 May 2024, 14:30 UTC. */
export function showDateTime(iso: string | null | undefined): string {
  const text = showTime(iso, {
    day: 'numeric',
    month: 'short',
    year: 'numeric',
    hour: '2-digit',
    minute: '2-digit',
  });
  return text === MISSING ? text : `${text} UTC`;
}

/** The minute in UTC: 14:30 UTC. */
export function showTimeOfDay(iso: string): string {
  return `${showTime(iso, { hour: '2-digit', minute: '2-digit' })} UTC`;
}

/** As its market's people say it: Mon 12 Jan, 16:00 ET. */
export function showMarketTime(iso: string): string {
  const parts = dateFormatter({
    weekday: 'short',
    day: 'numeric',
    month: 'short',
    hour: '2-digit',
    minute: '2-digit',
    hourCycle: 'h23',
    timeZone: 'America/New_York',
  }).formatToParts(Date.parse(iso));
  const of = (type: Intl.DateTimeFormatPartTypes) => parts.find((part) => part.type === type)?.value ?? '';
  return `${of('weekday')} ${of('day')} ${of('month')}, ${of('hour')}:${of('minute')} ET`;
}

export function showMonth(iso: string | null | undefined): string {
  return showTime(iso, { month: 'short', year: 'numeric' });
}

/** The moment that a figure holds for: as of 3 May 2024. */
export function showAsOf(iso: string | null | undefined): string {
  return `as of ${showDate(iso)}`;
}

/** A share of whole months between two days: '14 months', '3.2 years'. */
export function showSpan(fromIso: string, toIso: string): string {
  const days = (Date.parse(toIso) - Date.parse(fromIso)) / 86_400_000;
  if (!Number.isFinite(days)) return MISSING;
  const months = Math.round(days / 30.44);
  if (months < 1) return showCounted(Math.max(0, Math.round(days)), 'day');
  return months < 24
    ? showCounted(months, 'month')
    : `${format(days / 365.25, { maximumFractionDigits: 1 })} years`;
}

/** 'trend_following' as 'Trend following'. */
export function showWord(name: string | null | undefined): string {
  if (!name) return MISSING;
  const special = SPECIAL_WORDS[name];
  if (special) return special;
  const words = name.replaceAll('_', ' ');
  return words.charAt(0).toUpperCase() + words.slice(1);
}

const SPECIAL_WORDS: Readonly<Record<string, string>> = {
  us: 'US',
  ml_based: 'ML based',
  etf: 'ETF',
  etfs: 'ETFs',
};

function isNumber(value: Maybe): value is number {
  return typeof value === 'number' && Number.isFinite(value);
}

const formatters = new Map<string, Intl.NumberFormat>();

function format(value: number, options: Intl.NumberFormatOptions): string {
  const key = JSON.stringify(options);
  let formatter = formatters.get(key);
  if (!formatter) {
    formatter = new Intl.NumberFormat(LOCALE, options);
    formatters.set(key, formatter);
  }
  // A loss too small to show is shown as nothing lost, not as minus zero.
  return formatter
    .format(value)
    .replace(/^-(?=\D*0(?:[.,]0*)?\D*$)/, '')
    .replace('-', MINUS);
}

function showTime(iso: string | null | undefined, options: Intl.DateTimeFormatOptions): string {
  if (!iso) return MISSING;
  const ms = Date.parse(iso);
  if (Number.isNaN(ms)) return MISSING;
  return dateFormatter({ ...options, timeZone: 'UTC' }).format(ms);
}

const dateFormatters = new Map<string, Intl.DateTimeFormat>();

function dateFormatter(options: Intl.DateTimeFormatOptions): Intl.DateTimeFormat {
  const key = JSON.stringify(options);
  let formatter = dateFormatters.get(key);
  if (!formatter) {
    formatter = new Intl.DateTimeFormat(DAY_LOCALE, options);
    dateFormatters.set(key, formatter);
  }
  return formatter;
}
