// What a person asks of the builder, by controls or in words (specification, sections 3, 5 and 9), and its bounds.

export const ASSET_CLASSES = ['equity', 'forex', 'crypto', 'futures', 'options'] as const;
export type AssetClass = (typeof ASSET_CLASSES)[number];

export const BUILDER_RISKS = ['low', 'medium', 'high'] as const;
export type BuilderRisk = (typeof BUILDER_RISKS)[number];

export type Style = 'trend_following' | 'momentum' | 'mean_reversion' | 'breakout';
/** Breakouts are built from words only. */
export type UsualStyle = Exclude<Style, 'breakout'>;

export type OptionStructure = 'covered_call' | 'protective_put' | 'cash_secured_put';

/** Of rules for the same wishes: a style, or a structure of options. */
export type RuleKind = { readonly style?: UsualStyle; readonly structure?: OptionStructure };

export type BuilderInput = {
  readonly assetClass: AssetClass;
  readonly riskLevel: BuilderRisk;
  /** Percent. */
  readonly maxDrawdown: number;
  /** Percent a year. */
  readonly targetReturn: number;
  /** Whole dollars. */
  readonly minimumInvestment: number;
};

export const BUILDER_RANGES = {
  maxDrawdown: { min: 5, max: 30 },
  targetReturn: { min: 10, max: 50 },
} as const;

export const LEAST_MINIMUM_INVESTMENT = 1_000;

/** Characters of a description. */
export const DESCRIPTION_MAX = 2_000;

/** Characters of a further sentence or an answer, and how many of each there can be. */
export const SENTENCE_MAX = 400;
export const FURTHER_MAX = 40;

export const USUAL_INPUT: BuilderInput = {
  assetClass: 'equity',
  riskLevel: 'medium',
  maxDrawdown: 15,
  targetReturn: 20,
  minimumInvestment: 10_000,
};

/** How the asset class reads in a sentence. */
export const ASSET_WORDS: Readonly<Record<AssetClass, string>> = {
  equity: 'shares and funds',
  forex: 'currency pairs',
  crypto: 'cryptocurrencies',
  futures: 'futures',
  options: 'options on the market fund',
};

export const STYLE_WORDS: Readonly<Record<UsualStyle, string>> = {
  trend_following: 'trend following',
  momentum: 'momentum',
  mean_reversion: 'mean reversion',
};

/** The style that the controls stand for. */
export function usualStyle({
  assetClass,
  riskLevel,
}: Pick<BuilderInput, 'assetClass' | 'riskLevel'>): UsualStyle {
  if (assetClass === 'equity') return riskLevel === 'low' ? 'trend_following' : 'momentum';
  if (assetClass === 'forex') return riskLevel === 'high' ? 'mean_reversion' : 'momentum';
  if (assetClass === 'crypto') return riskLevel === 'high' ? 'momentum' : 'trend_following';
  return 'trend_following';
}

/** The structure of options that the controls stand for. */
export function usualStructure({ riskLevel }: Pick<BuilderInput, 'riskLevel'>): OptionStructure {
  if (riskLevel === 'low') return 'protective_put';
  return riskLevel === 'medium' ? 'covered_call' : 'cash_secured_put';
}
