// What would make practice flatter, reckon wrongly or explain wrongly.
import type { PlantedBug } from './planted-bug.ts';

export const PRACTICE_BUGS: readonly PlantedBug[] = [
  {
    name: 'a practice order fills at the better of the quote and the model',
    file: 'src/engine/practice/fill-price.ts',
    from: 'isBuy ? Math.max(modelled, ask)',
    to: 'isBuy ? Math.min(modelled, ask)',
    suites: ['src/engine/practice/look.test.ts'],
  },
  {
    name: 'a practice account passes one night twice',
    file: 'src/engine/practice/look.ts',
    from: 'if (session.closesAt <= account.lookedAt || session.closesAt > market.now) continue;',
    to: 'if (session.closesAt > market.now) continue;',
    suites: ['src/engine/practice/look.test.ts'],
  },
  {
    name: 'a practice order ends while its opening price may still come',
    file: 'src/engine/practice/look.ts',
    from: "if (waiting.some(({ open }) => open === 'awaited')) return false;",
    to: '',
    suites: ['src/engine/practice/look.test.ts'],
  },
  {
    name: 'two practice orders close the same shares',
    file: 'src/engine/practice/buying-power.ts',
    from: 'Math.max(0, Math.abs(held) - leaving)',
    to: 'Math.max(0, Math.abs(held))',
    suites: ['src/engine/practice/look.test.ts'],
  },
  {
    name: 'practice believes every quote',
    file: 'src/adapters/broker/practice/read-market.ts',
    from: 'if (await isPlausible(quote, { instruments, days, now })) plausible.push(quote);',
    to: 'plausible.push(quote);',
    suites: ['tests/trading/practice.test.ts'],
  },
  {
    name: 'what a shadow held before is put down to the order that closed it',
    file: 'src/engine/practice/explain-shadow.ts',
    from: 'book(oldest.cause, closed, oldest.price, coming.price);',
    to: 'book(coming.cause, closed, oldest.price, coming.price);',
    suites: ['src/engine/practice/explain-shadow.test.ts'],
  },
];
