import fc from 'fast-check';
import { expect, it } from 'vitest';
import { VISIBILITIES, visibilityAfter } from './visibility.ts';

it('tells what this session shows from what only an earlier one has shown, and forgets neither', () => {
  fc.assert(
    fc.property(fc.constantFrom(...VISIBILITIES), fc.array(fc.boolean()), (first, lists) => {
      let visibility = first;
      for (const isListed of lists) visibility = visibilityAfter(visibility, isListed);
      const wasShown = first !== 'never_shown' || lists.includes(true);
      expect(visibility === 'never_shown').toBe(!wasShown);
      if (lists.length > 0) expect(visibility === 'shown').toBe(lists.at(-1));
    }),
  );
});
