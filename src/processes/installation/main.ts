// The program of a real installation. It reaches nothing of the demonstration: `tests/two-worlds.test.ts` walks its imports.
import { fillFromVault } from '../environment/vault-settings.ts';
import { runWord, wordsOf } from '../start/run-word.ts';
import { INSTALLATION } from './installation.ts';

await fillFromVault(process.env);
await runWord(
  {
    ...wordsOf(INSTALLATION),
    start: async () => (await import('./start.ts')).startInstallation(import.meta.filename),
    'own-account': async () => (await import('./run-own-account.ts')).runOwnAccount(),
  },
  process.argv.slice(2),
);
