import type { Page } from 'playwright-core';
import type { Strategy } from '#contract/strategies/strategies.ts';
import type { EvidenceRunInput } from '#engine/evidence/evidence-run.ts';
import type { Passport, PassportBars } from '#engine/evidence/passport.ts';
import { inputOf } from '#engine/evidence/verify-passport.ts';
import { launchBrowser } from './browser.ts';

type Published = {
  readonly name: string;
  readonly passport: Passport;
  readonly input: EvidenceRunInput;
  readonly passportUrl: string;
  readonly barsUrl: string;
  /** On the site itself, for what is computed in a browser. */
  readonly page: Page;
};

/** Computes something of each published strategy, and checks it. A result that was renewed meanwhile is computed again. Returns how many. */
export async function eachPublishedResult<Computed>(
  baseUrl: string,
  compute: (published: Published) => Promise<Computed>,
  check: (computed: Computed, name: string) => void,
): Promise<number> {
  const read = async <T>(address: string) => (await (await fetch(`${baseUrl}${address}`)).json()) as T;
  const browser = await launchBrowser();
  try {
    const page = await browser.newPage();
    await page.goto(baseUrl);
    const strategies = await read<Strategy[]>('/api/strategies/');
    for (const { id, name } of strategies) {
      const passportUrl = `/api/strategies/${id}/evidence/`;
      for (let passport = await read<Passport>(passportUrl), isSame = false; !isSame; ) {
        const input = inputOf(passport, await read<PassportBars>(`${passportUrl}data/`));
        if (typeof input === 'string') throw new Error(`${name}: ${input}`);
        const computed = await compute({
          name,
          passport,
          input,
          passportUrl,
          barsUrl: `${passportUrl}bars/`,
          page,
        });
        const after = await read<Passport>(passportUrl);
        isSame = after.hashes.input === passport.hashes.input;
        passport = after;
        if (isSame) check(computed, name);
      }
    }
    return strategies.length;
  } finally {
    await browser.close();
  }
}
