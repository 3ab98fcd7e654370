// In a world where everything goes wrong that can. In two files, for two processors.
import { testSeeds } from './run-seed.ts';

testSeeds(1, 25);
