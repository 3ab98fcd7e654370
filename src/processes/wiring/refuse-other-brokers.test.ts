import { describe, expect, test } from 'vitest';
import { INSTALLATIONS } from '#rules/installation.ts';
import { testDatabase } from '#tests/support/test-database.ts';
import { type Environment, readEnvironment } from '../environment/environment.ts';
import { refuseOtherBrokers } from './refuse-other-brokers.ts';

const own: Environment = readEnvironment({ APCA_API_KEY_ID: 'PK1', APCA_API_SECRET_KEY: 'of my own' });

describe.each(INSTALLATIONS)('a database of %s', async (first) => {
  const handle = await testDatabase();

  test('is its own for good, and no other installation starts on it', async () => {
    await refuseOtherBrokers({ ...own, installation: first }, handle);
    await refuseOtherBrokers({ ...own, installation: first }, handle);
    for (const installation of INSTALLATIONS.filter((one) => one !== first))
      await expect(refuseOtherBrokers({ ...own, installation }, handle)).rejects.toThrow(
        /^The data folder .* is of .*, and the settings make this one .*\. Start with another folder/,
      );
  });
});
