// Decisions of the stand-in by seed. Each hangs on its purpose and subject alone, so that the order in which requests
// happen to arrive changes none of them.
import { createHash } from 'node:crypto';

export type Chance = {
  /** Between 0 and 1. */
  share(purpose: string, subject: string | number): number;
  /** True in this share of the cases. */
  happens(likelihood: number, purpose: string, subject: string | number): boolean;
  pick<One>(list: readonly [One, ...One[]], purpose: string, subject: string | number): One;
};

export function chanceBySeed(seed: number): Chance {
  const share = (purpose: string, subject: string | number) =>
    createHash('sha1').update(`${seed}/${purpose}/${subject}`).digest().readUInt32BE(0) / 2 ** 32;
  return {
    share,
    happens: (likelihood, purpose, subject) => share(purpose, subject) < likelihood,
    pick: (list, purpose, subject) => list[Math.floor(share(purpose, subject) * list.length)] ?? list[0],
  };
}
