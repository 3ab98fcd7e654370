import type { Listing } from '../../seed/catalogue/listing.ts';
import { CALM_LISTINGS } from './calm-listings.ts';
import { CURRENCY_LISTINGS } from './currency-listings.ts';
import { DECIDER_LISTINGS } from './decider-listings.ts';
import { DERIVATIVE_LISTINGS } from './derivative-listings.ts';
import { EQUITY_LISTINGS } from './equity-listings.ts';
import { modelListings } from './model-listings.ts';

/** The strategies of the simulated market. */
export function simulatedListings(): readonly Listing[] {
  return [
    ...EQUITY_LISTINGS,
    ...CALM_LISTINGS,
    ...CURRENCY_LISTINGS,
    ...DERIVATIVE_LISTINGS,
    ...modelListings(),
    ...DECIDER_LISTINGS,
  ];
}
