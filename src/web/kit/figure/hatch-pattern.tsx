/** Diagonal hairlines: the ground of figures that a backtest made up to the day its rules were committed. */
export function HatchPattern({ id }: { id: string }) {
  return (
    <pattern id={id} width="6" height="6" patternUnits="userSpaceOnUse" patternTransform="rotate(45)">
      <line x1="0.5" x2="0.5" y1="0" y2="6" className="stroke-hatch" strokeWidth="0.8" />
    </pattern>
  );
}
