import { expect, test } from 'vitest';
import { describePlace } from './describe-place.ts';

test.each([
  ['203.0.113.7', 'the network that you use now'],
  ['::ffff:203.0.113.7', 'the network that you use now'],
  ['198.51.100.4', 'another network'],
  ['2001:db8::4', 'another network'],
  ['127.0.0.1', 'the machine of the service itself'],
  ['172.20.1.1', 'a private network'],
  ['172.32.1.1', 'another network'],
  ['fd12:3456::1', 'a private network'],
  ['', 'an unknown network'],
])('%s is %s', (address, place) => {
  expect(describePlace(address, '203.0.113.7')).toBe(place);
});
