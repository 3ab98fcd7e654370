import { HOME_TILES, HOME_TILES_NOTE } from '#rules/provider.ts';
import { useInstallation } from '../../call/installation.ts';
import { Hypothetical } from '../../kit/figure/hypothetical.tsx';
import { Stat } from '../../kit/figure/stat.tsx';

/** The copy of the demonstration's provider, small and footnoted. Figures that nobody measured have no place beside real money. */
export function Tiles() {
  if (useInstallation() !== 'demonstration') return null;
  return (
    <section aria-label="Figures supplied by the provider" className="border-y py-6">
      <dl className="grid gap-6 sm:grid-cols-3">
        {HOME_TILES.map((tile) => (
          <Stat key={tile.label} label={`${tile.label}*`}>
            {tile.value}
          </Stat>
        ))}
      </dl>
      <p className="mt-5 text-xs text-ink-faint">
        * {HOME_TILES_NOTE} <Hypothetical />
      </p>
    </section>
  );
}
