// The words that the reader of descriptions knows, each with what it means. What is not here is not understood, and is
// said so: nothing is guessed.
import type { AssetClass, BuilderRisk, BuilderPreferences, Style } from './builder-input.ts';

export type WordMeaning = {
  readonly pattern: RegExp;
  readonly meaning: string;
  readonly assetClass?: AssetClass;
  readonly riskLevel?: BuilderRisk;
  readonly preferences?: BuilderPreferences;
};

const asset = (assetClass: AssetClass, meaning: string, pattern: RegExp): WordMeaning => ({
  pattern,
  meaning: `Market: ${meaning}`,
  assetClass,
});
const risk = (riskLevel: BuilderRisk, pattern: RegExp): WordMeaning => ({
  pattern,
  meaning: `Risk: ${riskLevel}`,
  riskLevel,
});
const style = (
  one: Style,
  meaning: string,
  pattern: RegExp,
  preferences: BuilderPreferences = {},
): WordMeaning => ({
  pattern,
  meaning: `Style: ${meaning}`,
  preferences: { style: one, ...preferences },
});
const preference = (meaning: string, preferences: BuilderPreferences, pattern: RegExp): WordMeaning => ({
  pattern,
  meaning,
  preferences,
});

/** Those named first are looked for first; options come before the shares that they are written on. */
export const WORDS: readonly WordMeaning[] = [
  {
    pattern: /\bcovered[- ]calls?\b/gi,
    meaning: 'Options: covered calls',
    assetClass: 'options',
    preferences: { structure: 'covered_call' },
  },
  {
    pattern: /\b(?:protective|hedging|insurance)[- ]puts?\b/gi,
    meaning: 'Options: protective puts',
    assetClass: 'options',
    preferences: { structure: 'protective_put' },
  },
  {
    pattern: /\bcash[- ]secured[- ]puts?\b|\bsell(?:ing|s)?\s+puts?\b/gi,
    meaning: 'Options: cash-secured puts',
    assetClass: 'options',
    preferences: { structure: 'cash_secured_put' },
  },
  asset('options', 'options', /\boptions?\b/gi),
  asset('crypto', 'cryptocurrencies', /\bcrypto(?:currenc(?:y|ies)|s)?\b|\bcoins?\b|\bdigital assets?\b/gi),
  asset('forex', 'currency pairs', /\bforex\b|\bfx\b|\bcurrenc(?:y|ies)\b(?:\s+pairs?\b)?/gi),
  asset('futures', 'futures', /\bfutures?\b|\bcommodit(?:y|ies)\b/gi),
  asset(
    'equity',
    'shares and funds',
    /\bstocks?\b|\bequit(?:y|ies)\b|\bshares?\b|\betfs?\b|\bblue[- ]chips?\b|\bcompan(?:y|ies)\b|\bindex funds?\b/gi,
  ),
  risk(
    'low',
    /\b(?:low|lower|small|little)[- ]risk\b|\bconservative(?:ly)?\b|\bsafe(?:r|ly)?\b|\bcautious(?:ly)?\b|\bdefensive\b/gi,
  ),
  risk('medium', /\b(?:medium|moderate|average)[- ]risk\b|\bmoderate(?:ly)?\b|\bbalanced\b/gi),
  risk('high', /\bhigh(?:er)?[- ]risk\b|\baggressive(?:ly)?\b|\bspeculative\b|\bbold\b/gi),
  style(
    'trend_following',
    'trend following, two averages',
    /\bgolden cross\b|\bmoving[- ]average cross(?:over|ing)?\b|\bcross(?:over|ing)?\b/gi,
    {
      signal: 'cross',
    },
  ),
  style(
    'trend_following',
    'trend following',
    /\btrends?(?:[- ]follow(?:ing|er|s)?)?\b|\btrending\b|\b(?:moving|simple|exponential)[- ]averages?\b|\baverages?\b/gi,
  ),
  style(
    'mean_reversion',
    'mean reversion',
    /\bmean[- ]revers?ion\b|\bmean[- ]revert(?:ing|s)?\b|\bbuy(?:ing|s)? (?:the )?dips?\b|\boversold\b|\boverbought\b|\bbollinger(?: bands?)?\b/gi,
  ),
  style('mean_reversion', 'mean reversion by RSI', /\brsi\b|\brelative strength index\b/gi, {
    signal: 'rsi',
  }),
  style(
    'breakout',
    'breakouts',
    /\bbreak(?:s|ing)?[- ]?outs?\b|\bdonchian\b|\bnew highs?\b|\b52[- ]week highs?\b/gi,
  ),
  style(
    'momentum',
    'momentum',
    /\bmomentum\b|\bwinners\b|\b(?:strongest|best[- ]performing|top[- ]performing)\b|\brelative strength\b/gi,
  ),
  preference('Checked monthly', { every: 'month' }, /\bmonthly\b|\b(?:every|each|once a) month\b/gi),
  preference('Checked weekly', { every: 'week' }, /\bweekly\b|\b(?:every|each|once a) week\b/gi),
  preference('Checked daily', { every: 'day' }, /\bdaily\b|\b(?:every|each|once a) (?:trading )?day\b/gi),
  preference(
    'Long only',
    { shorts: false },
    /\blong[- ]only\b|\b(?:no|without) short(?:s|ing|[- ]selling)?\b/gi,
  ),
  preference(
    'Long and short',
    { shorts: true },
    /\blong[- ](?:and[- ]|\/)?short\b|\bshort(?:s|ing|[- ]selling|[- ]sell)?\b(?![- ]term)|\bboth (?:directions|ways|sides)\b/gi,
  ),
];

type Unsupported = { readonly pattern: RegExp; readonly why: string };

/** What is recognised and cannot be done here. */
export const UNSUPPORTED: readonly Unsupported[] = [
  {
    pattern: /\bleverag(?:e|ed|ing)\b|\bon margin\b|\bborrow(?:ed|ing)?\b/gi,
    why: 'Leverage is not available.',
  },
  {
    pattern: /\bnews\b|\bsentiment\b|\btwitter\b|\bsocial media\b|\breddit\b|\bheadlines?\b/gi,
    why: 'Rules use prices and volume only.',
  },
  {
    pattern:
      /\bearnings\b|\bdividends?\b|\bp\/e\b|\bvaluations?\b|\bfundamentals?\b|\bcheap\b|\bundervalued\b/gi,
    why: 'Rules use prices and volume only.',
  },
  {
    pattern:
      /\bintraday\b|\bscalp(?:ing|er)?\b|\bday[- ]trad(?:e|ing)\b|\bhourly\b|\bminutes?\b|\bhigh[- ]frequency\b/gi,
    why: 'Rules are checked at most once a day, after the close.',
  },
  {
    pattern: /\bguarantee[ds]?\b|\brisk[- ]free\b|\bnever los(?:e|es|ing)\b|\bno loss(?:es)?\b/gi,
    why: 'No strategy can promise that.',
  },
  {
    pattern: /\bneural\b|\bmachine[- ]learning\b|\bdeep[- ]learning\b|\bpredict(?:s|ion|ions|ing)?\b/gi,
    why: 'The builder writes rules; it does not train models.',
  },
  { pattern: /\barbitrage\b|\bpairs? trading\b/gi, why: 'The builder has no template for this.' },
];
