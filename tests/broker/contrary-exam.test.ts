// The adapter sits its exam once more, against a stand-in that draws for each answer which of the vendor's forms it has.
// CONTRARY_SEEDS sets how many stand-ins there are.
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import { BROKER_EXAM } from '#adapters/broker/exam.ts';
import { spellingOf } from './contrary-spelling.ts';
import { type Bench, openBench } from './interactive-brokers-bench.ts';

const SEEDS = Number(process.env.CONTRARY_SEEDS || 2);

for (let seed = 1; seed <= SEEDS; seed++)
  describe(`a stand-in with the spelling of seed ${seed}`, () => {
    let bench: Bench;
    let spelled: number;
    beforeEach(async () => {
      spelled = 0;
      const spell = spellingOf(seed);
      bench = await openBench({
        spell(forms) {
          spelled += 1;
          return spell(forms);
        },
      });
    });
    afterEach(() => bench.close());

    for (const { number, claim, sit } of BROKER_EXAM)
      it(`${number} ${claim}`, async () => {
        await sit(bench);
        // R1 asks nothing, A2 grants nothing; in all others answers were spelled otherwise.
        if (number !== 'R1' && number !== 'A2') expect(spelled).toBeGreaterThan(0);
      });
  });
