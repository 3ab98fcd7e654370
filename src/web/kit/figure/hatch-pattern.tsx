import type { Texture } from './texture.ts';

/** The textures whose area is hatched: figures that a backtest made up to the day its rules were committed. */
export type HatchedTexture = Extract<Texture, 'in-sample' | 'walk-forward'>;

export function isHatched(texture: Texture): texture is HatchedTexture {
  return texture === 'in-sample' || texture === 'walk-forward';
}

/** Diagonal hairlines; dots where the model was only asked about days that it had not learned from. */
export function HatchPattern({ id, texture = 'in-sample' }: { id: string; texture?: HatchedTexture }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      {texture === 'in-sample' ? (
        <line x1="0.5" x2="0.5" y1="0" y2="6" className="stroke-hatch" strokeWidth="0.8" />
      ) : (
        <circle cx="3" cy="3" r="0.9" className="fill-hatch" />
      )}
    </pattern>
  );
}
