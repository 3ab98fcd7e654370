import { classNames } from '../class-names.ts';
import { showNumber } from './show-figure.ts';

const MONTHS = ['Jan', 'Feb', 'Mar', 'Apr', 'May', 'Jun', 'Jul', 'Aug', 'Sep', 'Oct', 'Nov', 'Dec'];

type YearOfReturns = {
  readonly year: number;
  /** month 1 to 12, return in percent. */
  readonly months: readonly { readonly month: number; readonly return: number }[];
};

/** Monthly returns in percent, newest year first: shown both as a colour and as a signed number. */
export function HeatTable({
  caption,
  years,
  outlinedFrom,
}: {
  caption: string;
  years: readonly YearOfReturns[];
  /** The first month, YYYY-MM, that is drawn with an outline. */
  outlinedFrom?: string;
}) {
  const sorted = [...years].sort((a, b) => b.year - a.year);
  return (
    <section
      aria-label={caption}
      tabIndex={0}
      className="overflow-x-auto rounded-control edge-fade [contain:inline-size]"
    >
      <table className="figures w-full border-separate border-spacing-0.5 text-sm max-sm:block sm:min-w-[680px]">
        <caption className="sr-only">{caption}, in percent</caption>
        <thead className="max-sm:sr-only">
          <tr className="text-ink-faint">
            <th scope="col" className="py-1 pr-2 text-left font-normal">
              Year
            </th>
            {MONTHS.map((month) => (
              <th key={month} scope="col" className="px-1 py-1 text-right font-normal">
                {month}
              </th>
            ))}
          </tr>
        </thead>
        <tbody className="max-sm:grid max-sm:gap-3">
          {sorted.map((year) => (
            <tr key={year.year} className="max-sm:grid max-sm:grid-cols-6 max-sm:gap-0.5">
              <th scope="row" className="pr-2 text-left font-normal text-ink-soft max-sm:col-span-6">
                {year.year}
              </th>
              {MONTHS.map((month, i) => (
                <HeatCell
                  key={month}
                  month={month}
                  value={year.months.find((entry) => entry.month === i + 1)?.return}
                  isOutlined={outlinedFrom !== undefined && monthName(year.year, i + 1) >= outlinedFrom}
                />
              ))}
            </tr>
          ))}
        </tbody>
      </table>
    </section>
  );
}

function monthName(year: number, month: number): string {
  return `${year}-${String(month).padStart(2, '0')}`;
}

function HeatCell({
  month,
  value,
  isOutlined,
}: {
  month: string;
  value: number | undefined;
  isOutlined: boolean;
}) {
  const name = (
    <span className="block text-xs text-ink-faint sm:hidden" aria-hidden="true">
      {month}
    </span>
  );
  if (value === undefined) return <td className="px-1.5 py-1.5 text-right text-ink-faint">{name}-</td>;
  return (
    <td
      className={classNames(
        'rounded-[3px] px-1.5 py-1.5 text-right text-ink',
        heat(value),
        isOutlined && 'outline-1 -outline-offset-1 outline-series',
      )}
    >
      {name}
      {value > 0 && '+'}
      {showNumber(value, 1)}
    </td>
  );
}

/** Steps at 1, 3 and 5 percent, either way (specification section 9). */
function heat(value: number): string {
  const size = Math.abs(value);
  const step = size > 5 ? 3 : size > 3 ? 2 : size > 1 ? 1 : 0;
  return (value > 0 ? GAINS : LOSSES)[step] ?? '';
}

const GAINS = ['', 'bg-gain/12', 'bg-gain/22', 'bg-gain/34'];
const LOSSES = ['', 'bg-loss/12', 'bg-loss/22', 'bg-loss/34'];
