// The two worlds: the demonstration, where nothing is real, and an installation, where prices are. Each has its own program,
// which `scripts/run.mjs` chooses by the same rule.

export type WorldName = 'demo-world' | 'installation';

/** MARKET says which; where it says nothing, the keys of one's own account do. */
export function worldOf(text: (name: string) => string | null): WorldName {
  const market = text('MARKET');
  if (market !== null) return market === 'live' ? 'installation' : 'demo-world';
  return text('BROKER') === null && text('APCA_API_KEY_ID') !== null ? 'installation' : 'demo-world';
}

/** Throws an Error when a world is started with the settings of the other one. */
export function refuseOtherWorld(started: WorldName, text: (name: string) => string | null): void {
  if (worldOf(text) === started) return;
  throw new Error(
    started === 'installation'
      ? 'this is the program of a real installation, and the settings are those of the demonstration: set MARKET=live'
      : 'this is the program of the demonstration, and the settings are those of a real installation: start it with npm, which chooses',
  );
}
