// Strategies that trade trained models. Their definitions, which name the model files by hash, are written by training.
import { readFileSync } from 'node:fs';
import path from 'node:path';
import { MODELS_FOLDER } from '../../wiring/open-models.ts';
import type { EarlierTries, Listing } from '../../seed/catalogue/listing.ts';

export function modelListings(): readonly Listing[] {
  return [deepBench, crosscurrent, secondOpinion].map(({ model, ...listing }) => ({
    ...listing,
    definition: readJson(model, 'definition.json') as Listing['definition'],
    earlierTries: readJson(model, 'tries.json') as EarlierTries,
  }));
}

type ModelListing = Omit<Listing, 'definition' | 'earlierTries'> & {
  /** Its folder below the models. */
  readonly model: string;
};

function readJson(model: string, file: string): unknown {
  return JSON.parse(readFileSync(path.join(MODELS_FOLDER, model, file), 'utf8'));
}

const deepBench: ModelListing = {
  slug: 'deep-bench',
  name: 'Deep Bench',
  shortDescription: 'Each month, the eight of 26 shares that a neural network rates highest.',
  description:
    'A small neural network compares 26 shares with one another: their returns from a week to two years, how far they are from their recent mean, and how much they move. On the first trading day of the month the eight with the best score are held in equal parts. Every year is scored by a network that was trained only on the years before it, so its weights never saw the days that they score. It is always invested and falls with the market, and in the simulated market it has not yet done better than holding all 26 shares.',
  kind: 'equity',
  strategyType: 'deep_learning',
  market: 'us',
  isFeatured: false,
  minInvestmentDollars: 10_000,
  model: 'shares-network',
};

const crosscurrent: ModelListing = {
  slug: 'crosscurrent',
  name: 'Crosscurrent',
  shortDescription: 'Boosted decision trees decide each week which of six currencies to hold long or short.',
  description:
    'Forty small decision trees, grown one upon the errors of the other, look at what a currency pair did over the last week, month, quarter and year and say how much it leans up or down. A pair that leans clearly is held that way, the others not at all, looked at once a week. Every year is scored by trees grown only on the years before it. Currencies move little and nothing is borrowed, so expect small returns in small steps, and years in which the trees are wrong.',
  kind: 'forex',
  strategyType: 'ml_based',
  market: 'global',
  isFeatured: true,
  minInvestmentDollars: 5_000,
  model: 'currency-trees',
};

const secondOpinion: ModelListing = {
  slug: 'second-opinion',
  name: 'Second Opinion',
  shortDescription: 'Holds a cryptocurrency only while a trained model and a plain trend rule agree.',
  description:
    'Two opinions must agree before a coin is bought: boosted decision trees that expect it to rise over the next two weeks, and a price above its 100-day average. When either changes its mind the coin is sold. Each position is sized to a steady risk, smaller when the coin is wild, and looked at once a week. Every year is scored by trees grown only on the years before it. It misses a good part of what coins earn in a boom; its point is the smaller loss when the boom ends.',
  kind: 'crypto',
  strategyType: 'hybrid',
  market: 'global',
  isFeatured: true,
  minInvestmentDollars: 10_000,
  model: 'coin-trees',
};
