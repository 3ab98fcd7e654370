import { TEXTURE_STROKES, TEXTURE_WORDS, type Texture } from './texture.ts';

/** The small key next to a figure that shows how real it is. */
export function TextureKey({ texture, words = true }: { texture: Texture; words?: boolean }) {
  const stroke = TEXTURE_STROKES[texture];
  return (
    <span className="inline-flex items-center gap-2 text-xs text-ink-faint">
      <svg viewBox="0 0 24 12" className="h-3 w-6 shrink-0" aria-hidden="true">
        {texture === 'expected' ? (
          <rect y="2" width="24" height="8" className="fill-band" />
        ) : (
          <>
            {texture === 'in-sample' && (
              <path
                d="M1 12 5 7M6 12l4-5M11 12l4-5M16 12l4-5M21 12l3-4"
                className="stroke-hatch"
                strokeWidth="1"
              />
            )}
            {texture === 'walk-forward' && (
              <path
                d="M3 9h.01M8 9h.01M13 9h.01M18 9h.01M22 9h.01"
                className="stroke-hatch"
                strokeWidth="2"
                strokeLinecap="round"
              />
            )}
            <line
              x1="0"
              x2="24"
              y1="5"
              y2="5"
              className="stroke-series"
              strokeWidth={stroke.width}
              strokeDasharray={stroke.dash}
            />
          </>
        )}
      </svg>
      <span className={words ? undefined : 'sr-only'}>{TEXTURE_WORDS[texture]}</span>
    </span>
  );
}
