// A track record as a provider imports it.

/** Daily values from the first of November 2025 on, beside the record of a test strategy, which grows by 100 dollars a day. */
export function claimFile({
  days = 60,
  perDay = 100,
}: {
  readonly days?: number;
  readonly perDay?: number;
} = {}): string {
  const lines = Array.from({ length: days }, (_, i) => {
    const day = new Date(Date.UTC(2025, 10, 1 + i)).toISOString().slice(0, 10);
    return `${day},${100_000 + i * perDay}`;
  });
  return ['date,value', ...lines].join('\n');
}
