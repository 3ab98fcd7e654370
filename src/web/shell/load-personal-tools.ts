import type { ComponentType } from 'react';
import type { User } from '#contract/identity.ts';

type PersonalTools = ComponentType<{ user: User }>;

let personalTools: PersonalTools | null = null;

/** What the header has for those who are signed in: loaded for them alone. */
export async function loadPersonalTools(): Promise<PersonalTools> {
  personalTools ??= (await import('./personal-tools.tsx')).PersonalTools;
  return personalTools;
}

/** Null until it has been loaded. */
export function loadedPersonalTools(): PersonalTools | null {
  return personalTools;
}
