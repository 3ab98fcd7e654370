import { expect, test } from 'vitest';
import { sequentialIds } from './sequential-ids.ts';

test('starts with the drawn id and counts up, past the overflow of its last part too', () => {
  const next = sequentialIds(() => '0c54fbc0-2a4e-4d6e-9f0a-fffffffffffe');
  expect([next(), next(), next()]).toEqual([
    '0c54fbc0-2a4e-4d6e-9f0a-fffffffffffe',
    '0c54fbc0-2a4e-4d6e-9f0a-ffffffffffff',
    '0c54fbc0-2a4e-4d6e-9f0a-000000000000',
  ]);
});
