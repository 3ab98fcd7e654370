import { Change } from '../kit/figure/change.tsx';

/** Holds its place while the change of today is not known. */
export function ChangeTodayLine({ today }: { today: number | null }) {
  return (
    <span className="block min-h-5">
      {today !== null && (
        <>
          <Change value={today} unit="money" /> today
        </>
      )}
    </span>
  );
}
