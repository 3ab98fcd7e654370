// What kind of installation this is, as the served document says. While documents are being written, at build, each kind has its own.
import { createContext, useContext } from 'react';
import { type Installation, isInstallation } from '#rules/installation.ts';

export const InstallationContext = createContext<Installation>(readInstallation());

export function useInstallation(): Installation {
  return useContext(InstallationContext);
}

/** Where one person runs it for themselves there is no company, no client, no plan and no fee, and nothing speaks of one. */
export function useHasProvider(): boolean {
  return useInstallation() !== 'own';
}

/** A document that no server filled in is of the demonstration. */
function readInstallation(): Installation {
  if (typeof document === 'undefined') return 'demonstration';
  const said = document.querySelector('meta[name="installation"]')?.getAttribute('content');
  return isInstallation(said) ? said : 'demonstration';
}
