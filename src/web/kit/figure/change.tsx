import { classNames } from '../class-names.ts';
import { showMoney, showPercent } from './show-figure.ts';

/** A gain or a loss: colour, sign and, for screen readers, the word. Zero and missing stay neutral. */
export function Change({
  value,
  unit = 'percent',
  decimals,
  className,
}: {
  value: number | null | undefined;
  /** percent: the value is in percent. money: US dollars. */
  unit?: 'percent' | 'money';
  decimals?: number;
  className?: string;
}) {
  const text =
    unit === 'money'
      ? showMoney(value, { sign: true })
      : showPercent(value, { sign: true, ...(decimals === undefined ? {} : { decimals }) });
  const tone = text.startsWith('+') ? 'gain' : text.startsWith('\u2212') ? 'loss' : null;
  return (
    <span
      className={classNames(
        'figures',
        tone === 'gain' && 'text-gain',
        tone === 'loss' && 'text-loss',
        className,
      )}
    >
      {tone && <span className="sr-only">{tone === 'gain' ? 'gain of ' : 'loss of '}</span>}
      {text}
    </span>
  );
}
