// The worst return over a crisis that the record covers whole, from the close before its first day to that of its last. Dates of
// peaks and troughs of the S&P 500 (S&P Dow Jones Indices), so they say little of other markets.
import type { IsoDate } from '#units/instant.ts';
import { type AttackFinding, judged, notRun } from './attack-result.ts';

type CrisisWindow = { readonly name: string; readonly from: string; readonly to: string };

const CRISES: readonly CrisisWindow[] = [
  { name: 'Black Monday', from: '1987-08-25', to: '1987-12-04' },
  { name: 'Russia and LTCM', from: '1998-07-17', to: '1998-08-31' },
  { name: 'Dot-com', from: '2000-03-24', to: '2002-10-09' },
  { name: 'Credit crisis', from: '2007-10-09', to: '2009-03-09' },
  { name: 'Euro debt', from: '2011-04-29', to: '2011-10-03' },
  { name: 'China and oil', from: '2015-05-21', to: '2016-02-11' },
  { name: 'Late 2018', from: '2018-09-20', to: '2018-12-24' },
  { name: 'Pandemic', from: '2020-02-19', to: '2020-03-23' },
  { name: 'Inflation', from: '2022-01-03', to: '2022-10-12' },
  { name: 'Tariffs', from: '2025-02-19', to: '2025-04-08' },
];

/** Parallel, oldest first. */
type Record = { readonly dates: readonly IsoDate[]; readonly equity: Float64Array };

export function attackByCrises(record: Record, isSimulated: boolean): AttackFinding {
  if (isSimulated) return notRun('simulated_prices');
  const returns = crisisReturns(record);
  if (returns.length === 0) return notRun('no_crisis_covered');
  return judged(Math.min(...returns.map((one) => one.return)), WORST);
}

/** Of each crisis that the record covers whole. */
export function crisisReturns({
  dates,
  equity,
}: Record): readonly (CrisisWindow & { readonly return: number })[] {
  return CRISES.flatMap((crisis) => {
    const first = dates.findIndex((date) => date >= crisis.from);
    const last = dates.findLastIndex((date) => date <= crisis.to);
    if (first < 1 || last < first || dates.at(-1)! < crisis.to) return [];
    return [{ ...crisis, return: equity[last]! / equity[first - 1]! - 1 }];
  });
}

/** Our own choice: a fall of a fifth is what is called a bear market. */
const WORST = -0.2;
