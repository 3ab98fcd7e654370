import type { Installation } from '../installation.ts';

/** What is signed before money is traded. */
export function agreementTitle(installation: Installation): string {
  return installation === 'own' ? 'Statement of Risks' : 'Investment Agreement';
}
