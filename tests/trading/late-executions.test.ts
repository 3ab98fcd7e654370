// Executions that the broker reports after the client's only deployment has ended.
import { expect, test } from 'vitest';
import { DAY_MS } from '#units/instant.ts';
import { stopStage } from '../support/stop-stage.ts';

const { market, venue, rows, command, runTicks, invested } = await stopStage();

test('an execution that arrives after the only deployment has ended is read and kept', async () => {
  const { id, account } = await invested();
  await command(id, 'stopped');
  for (let look = 0; look < 4; look++) await runTicks();
  expect(await rows(`select status from deployments where id = $1`, id)).toEqual([{ status: 'stopped' }]);
  market.advance(DAY_MS);
  venue.tradeExternally(account, 'AAA', 'sell', 3);
  for (let look = 0; look < 12; look++) await runTicks();
  const kept = await rows(
    `select quantity::float as units from suspense_entries where account_id = $1`,
    account,
  );
  expect(kept).toEqual([{ units: 3 }]);
});
