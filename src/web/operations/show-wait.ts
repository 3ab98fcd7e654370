import { showCounted } from '../kit/figure/show-figure.ts';

const STEPS = [
  { ms: 86_400_000, noun: 'day' },
  { ms: 3_600_000, noun: 'hour' },
  { ms: 60_000, noun: 'minute' },
] as const;

/** A length of real time in its two largest units: '3 minutes', '2 hours 5 minutes'. */
export function showWait(since: string, until: string): string {
  const ms = Math.max(0, Date.parse(until) - Date.parse(since));
  const first = STEPS.findIndex((step) => ms >= step.ms);
  const [whole, part] = [STEPS[first], STEPS[first + 1]];
  if (whole === undefined) return 'less than a minute';
  const rest = part === undefined ? 0 : Math.floor((ms % whole.ms) / part.ms);
  const said = showCounted(Math.floor(ms / whole.ms), whole.noun);
  return part === undefined || rest === 0 ? said : `${said} ${showCounted(rest, part.noun)}`;
}
