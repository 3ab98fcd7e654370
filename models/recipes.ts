import { coinTrees } from './coin-trees/recipe.ts';
import { currencyTrees } from './currency-trees/recipe.ts';
import type { Recipe } from './recipe.ts';
import { sharesNetwork } from './shares-network/recipe.ts';

export const RECIPES: readonly Recipe[] = [sharesNetwork, currencyTrees, coinTrees];
