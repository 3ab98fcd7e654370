// The adapter runs the conformance suite against a stand-in that draws for each answer one of the vendor's published forms.
// FUZZ_SEEDS sets how many stand-ins there are.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BROKER_CONFORMANCE } from './broker-conformance.ts';
import { formsOfSeed } from './response-fuzzer.ts';
import {
  INTERACTIVE_BROKERS_HAS,
  type InteractiveBrokersHarness,
  openHarness,
} from '../../broker/interactive-brokers-harness.ts';

const SEEDS = Number(process.env.FUZZ_SEEDS || 2);

for (let seed = 1; seed <= SEEDS; seed++)
  describe(`a stand-in with the answer forms of seed ${seed}`, () => {
    let harness: InteractiveBrokersHarness;
    let drawn: number;
    beforeEach(async () => {
      drawn = 0;
      const draw = formsOfSeed(seed);
      harness = await openHarness({
        draw(forms) {
          drawn += 1;
          return draw(forms);
        },
      });
    });
    afterEach(() => harness.close());

    for (const { number, requirement, run } of BROKER_CONFORMANCE.filter(
      ({ needs }) => needs === undefined || INTERACTIVE_BROKERS_HAS.includes(needs),
    ))
      it(`${number} ${requirement}`, async () => {
        await run(harness);
        // R1 asks nothing, A2 grants nothing; in all others answers were drawn otherwise.
        if (number !== 'R1' && number !== 'A2') expect(drawn).toBeGreaterThan(0);
      });
  });
