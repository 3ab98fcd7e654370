// The listed shares and funds of the simulated market. Companies, names and tickers are invented; a likeness to a
// real one is chance. Numbers are per year unless they say otherwise.

export type Sector =
  | 'technology'
  | 'communication'
  | 'consumer'
  | 'staples'
  | 'health'
  | 'finance'
  | 'energy'
  | 'industry'
  | 'utilities';

export type ShareTraits = {
  readonly symbol: string;
  readonly name: string;
  readonly sector: Sector | null;
  /** How strongly it follows the market's daily return. */
  readonly beta: number;
  /** How strongly it follows its sector. */
  readonly sectorWeight: number;
  /** Volatility of what only this company does. */
  readonly ownVolatility: number;
  /** Expected log return beyond the market's. */
  readonly extraDrift: number;
  readonly firstPrice: number;
  /** Shares that change hands on an ordinary day. */
  readonly volume: number;
  /** A sister company whose price it follows, except for a gap that closes within weeks. */
  readonly follows?: string;
};

export const BENCHMARK = 'BWMKT';

export const SHARES: readonly ShareTraits[] = [
  fund(BENCHMARK, 'Sandbox US Market index fund', 1, 0, 0, 140, 60e6),
  fund('BWBND', 'Sandbox Treasury Bond index fund', -0.07, 0.055, 0.028, 96, 9e6),
  fund('BWGLD', 'Sandbox Gold fund', 0.02, 0.145, 0.035, 118, 7e6),
  share('NVSM', 'Novalis Semiconductors', 'technology', 1.45, 1.2, 0.28, 0.04, 31, 24e6),
  share('QLBR', 'Quillbridge Software', 'technology', 1.1, 1, 0.19, 0.03, 46, 18e6),
  share('ARDN', 'Ardent Cloud Systems', 'technology', 1.25, 1.1, 0.26, 0.02, 38, 12e6),
  share('HLXD', 'Helix Devices', 'technology', 1.15, 1, 0.22, 0.02, 72, 15e6),
  share('KTRA', 'Kitera Analytics', 'technology', 1.35, 0.9, 0.33, 0.01, 24, 6e6),
  share('LMVX', 'Lumavox Media', 'communication', 1.1, 1, 0.25, 0, 55, 8e6),
  share('TLCO', 'Telcanto Communications', 'communication', 0.65, 0.8, 0.16, -0.01, 34, 16e6),
  share('MRBY', 'Marrowby Stores', 'consumer', 0.9, 1, 0.2, 0.02, 61, 9e6),
  share('VLMR', 'Velomar Motors', 'consumer', 1.5, 1.2, 0.38, 0.02, 19, 30e6),
  share('HWLL', 'Hearthwell Homes', 'consumer', 1.2, 1.1, 0.26, 0, 28, 7e6),
  share('GRNF', 'Greenfell Foods', 'staples', 0.55, 0.9, 0.14, 0.01, 44, 6e6),
  share('PRLW', 'Pearlwater Beverages', 'staples', 0.6, 1, 0.15, 0.01, 58, 10e6),
  sister('CLBK', 'Clearbrook Beverages', 'PRLW', 41, 7e6),
  share('SNTV', 'Santeva Pharma', 'health', 0.75, 1, 0.2, 0.02, 66, 9e6),
  share('ALVT', 'Alvetta Health Services', 'health', 0.8, 0.9, 0.18, 0.02, 52, 6e6),
  share('GNWY', 'Genway Laboratories', 'health', 1.15, 1.2, 0.4, 0.01, 22, 8e6),
  share('HBTR', 'Harbourtrust Bank', 'finance', 1.15, 1.1, 0.18, 0, 36, 22e6),
  sister('MRDB', 'Meridian Bay Bank', 'HBTR', 27, 14e6),
  share('NGTI', 'Northgate Insurance', 'finance', 0.85, 0.8, 0.16, 0.01, 49, 5e6),
  share('CPST', 'Copperstone Capital', 'finance', 1.35, 1.1, 0.24, 0.01, 63, 4e6),
  share('WLDC', 'Wildcrest Petroleum', 'energy', 0.95, 1.3, 0.19, -0.01, 79, 13e6),
  sister('SLTB', 'Saltbush Energy', 'WLDC', 54, 9e6),
  share('SNVL', 'Sunvale Renewables', 'energy', 1.3, 0.7, 0.36, 0, 17, 8e6),
  share('IRBR', 'Ironbridge Engineering', 'industry', 1.1, 1, 0.19, 0.01, 47, 6e6),
  share('AVAE', 'Avara Aerospace', 'industry', 1.05, 1, 0.22, 0.01, 84, 5e6),
  share('FRTL', 'Fortline Logistics', 'industry', 1, 1.1, 0.2, 0, 39, 7e6),
  share('CBRN', 'Cobrin Mining', 'industry', 1.2, 0.8, 0.31, -0.02, 23, 11e6),
  share('LKSD', 'Lakeside Power', 'utilities', 0.45, 1, 0.13, 0, 51, 5e6),
  share('BRWK', 'Brackwell Property Trust', 'utilities', 0.8, 0.9, 0.17, 0, 33, 6e6),
];

function share(
  symbol: string,
  name: string,
  sector: Sector,
  beta: number,
  sectorWeight: number,
  ownVolatility: number,
  extraDrift: number,
  firstPrice: number,
  volume: number,
): ShareTraits {
  return { symbol, name, sector, beta, sectorWeight, ownVolatility, extraDrift, firstPrice, volume };
}

function fund(
  symbol: string,
  name: string,
  beta: number,
  ownVolatility: number,
  extraDrift: number,
  firstPrice: number,
  volume: number,
): ShareTraits {
  return { symbol, name, sector: null, beta, sectorWeight: 0, ownVolatility, extraDrift, firstPrice, volume };
}

function sister(
  symbol: string,
  name: string,
  follows: string,
  firstPrice: number,
  volume: number,
): ShareTraits {
  return {
    symbol,
    name,
    sector: null,
    beta: 0,
    sectorWeight: 0,
    ownVolatility: 0,
    extraDrift: 0,
    firstPrice,
    volume,
    follows,
  };
}
