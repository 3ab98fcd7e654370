// What people call the instruments that there are prices of: symbols, names, and the plain names of well-known ones.

export type NamedInstrument = {
  readonly symbol: string;
  readonly name: string;
  readonly kind: 'equity' | 'forex' | 'crypto' | 'futures' | 'options';
};

/** One way to say it, in small letters, words apart by blanks. */
export type MarketName = { readonly phrase: string; readonly symbols: readonly string[] };

export function marketNames(instruments: readonly NamedInstrument[]): readonly MarketName[] {
  const names = new Map<string, Set<string>>();
  const add = (phrase: string, symbol: string) => {
    const key = phrase.toLowerCase().trim();
    if (key === '' || COMMON.has(key)) return;
    names.set(key, (names.get(key) ?? new Set()).add(symbol));
  };
  for (const one of instruments) {
    for (const phrase of ownNames(one)) add(phrase, one.symbol);
    for (const { pattern, phrases, kinds } of PLAIN_NAMES) {
      const isNamed = pattern.test(one.symbol) || pattern.test(one.name);
      if (isNamed && kinds.includes(one.kind))
        for (const phrase of phrases.split(', ')) add(phrase, one.symbol);
    }
  }
  return [...names].map(([phrase, symbols]) => ({ phrase, symbols: [...symbols] }));
}

export function isFund({ name }: Pick<NamedInstrument, 'name'>): boolean {
  return (
    /\b(?:fund|etf|etn)\b/i.test(name) ||
    /\b(?:etf|index|spdr|ishares|invesco)\b.*\btrust\b/i.test(name) ||
    /^(?:spdr|ishares|vanguard|invesco)\b/i.test(name)
  );
}

/** The index fund that stands for the market of shares. */
export function marketFund(instruments: readonly NamedInstrument[]): string | undefined {
  const shares = instruments.filter(({ kind }) => kind === 'equity');
  return ['BWMKT', 'SPY', 'VOO', 'IVV', 'VTI'].find((symbol) => shares.some((one) => one.symbol === symbol));
}

function ownNames({ symbol, name, kind }: NamedInstrument): readonly string[] {
  const names = [symbol];
  if (kind === 'forex' && symbol.length === 6) {
    const [base, quote] = [symbol.slice(0, 3), symbol.slice(3)];
    names.push(`${base} ${quote}`);
    const [one, two] = [CURRENCIES[base], CURRENCIES[quote]];
    for (const a of one ?? []) for (const b of two ?? []) names.push(`${a} ${b}`, `${b} ${a}`);
    if (quote === 'USD') for (const a of one ?? []) names.push(a);
    if (base === 'USD') for (const b of two ?? []) names.push(`${b} pair`);
    if (base === 'USD') for (const b of two ?? []) names.push(b);
  }
  if (kind === 'crypto') {
    const base = symbol.replace(/[-/]?USDT?$/, '');
    const coin = name.split('/')[0]!.trim();
    names.push(base, `${base} usd`, coin);
  }
  if (kind === 'equity' || kind === 'futures') {
    const plain = name
      .replace(
        /,? (?:continuous|inc|incorporated|corporation|corp|company|co|plc|ltd|group|holdings|platforms|systems)\.?\b.*$/i,
        '',
      )
      .replace(/[.,]/g, ' ')
      .replace(/-/g, ' ')
      .replace(/\s+/g, ' ')
      .trim();
    names.push(plain);
    const [first = ''] = plain.split(' ');
    if (first.length >= 4) names.push(first);
  }
  return names;
}

const CURRENCIES: Readonly<Record<string, readonly string[]>> = {
  EUR: ['euro'],
  USD: ['dollar', 'us dollar', 'greenback', 'usd'],
  GBP: ['pound', 'sterling', 'british pound', 'cable'],
  JPY: ['yen', 'japanese yen'],
  CHF: ['franc', 'swiss franc', 'swissy'],
  AUD: ['aussie', 'australian dollar', 'aud'],
  CAD: ['loonie', 'canadian dollar'],
  NZD: ['kiwi', 'new zealand dollar'],
};

type PlainName = {
  readonly pattern: RegExp;
  readonly phrases: string;
  readonly kinds: readonly NamedInstrument['kind'][];
};

const FUNDS = ['equity'] as const;
const BOTH = ['equity', 'futures'] as const;

const PLAIN_NAMES: readonly PlainName[] = [
  {
    pattern: /^(?:SPY|VOO|IVV|BWMKT)$/,
    phrases:
      's & p 500, s & p, s p 500, sp500, spx, s & p 500 fund, s & p 500 tracker, s & p 500 etf, the market, market fund, the market fund, the market index, index fund, market index fund, us market fund, stock market, the stock market, us market, broad market, market index',
    kinds: FUNDS,
  },
  { pattern: /^QQQ$/, phrases: 'nasdaq, nasdaq 100, nasdaq fund, nasdaq 100 fund, the qs', kinds: FUNDS },
  { pattern: /^IWM$/, phrases: 'russell 2000, russell, small cap fund', kinds: FUNDS },
  {
    pattern: /^(?:TLT|IEF|BND|AGG|BWBND)$/,
    phrases:
      'treasuries, treasury, treasury bond, bond, bond fund, treasury fund, us bond, long bond, government bond, bond index fund',
    kinds: FUNDS,
  },
  { pattern: /gold/i, phrases: 'gold, bullion, gold price', kinds: BOTH },
  { pattern: /^(?:GLD|IAU|BWGLD)$/, phrases: 'gold fund, gold etf', kinds: FUNDS },
  { pattern: /gold/i, phrases: 'gold future, gold contract', kinds: ['futures'] },
  {
    pattern: /crude|\boil\b/i,
    phrases: 'oil, crude, crude oil, wti, oil future, crude oil future, crude future',
    kinds: ['futures'],
  },
  {
    pattern: /^ES$|s&p 500|us market micro/i,
    phrases: 's & p future, s & p 500 future, es future, market future, index future, stock index future',
    kinds: ['futures'],
  },
  {
    pattern: /treasury|note|bond/i,
    phrases:
      'treasury future, bond future, note future, 10 year note, 10 year note future, ten year note future, 10 year treasury note, treasury note future',
    kinds: ['futures'],
  },
  { pattern: /^GOOGL?$/, phrases: 'google, alphabet', kinds: FUNDS },
  { pattern: /^META$/, phrases: 'facebook, meta', kinds: FUNDS },
  { pattern: /^KO$/, phrases: 'coke, coca cola, cocacola', kinds: FUNDS },
  { pattern: /^PEP$/, phrases: 'pepsi, pepsico', kinds: FUNDS },
  { pattern: /^JPM$/, phrases: 'jpmorgan, jp morgan, j p morgan', kinds: FUNDS },
  { pattern: /^BAC$/, phrases: 'bank of america, bofa', kinds: FUNDS },
  { pattern: /^BTC/, phrases: 'bitcoin, btc, bitcoins', kinds: ['crypto'] },
  { pattern: /^ETH/, phrases: 'ether, ethereum, eth', kinds: ['crypto'] },
];

/** First words of names that are words of every day, or shared by many. */
const COMMON = new Set(
  'sandbox micro british australian swiss us market target best general american united first bank international index trend s&p spdr ishares invesco vanguard all on it so are be now has can see for key well new any or up e-mini 10 euro/ the open real play fast low life cash'.split(
    ' ',
  ),
);
