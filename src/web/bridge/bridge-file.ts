import { BRIDGE_STEPS, type BridgeDay } from '#engine/bridge/return-bridge.ts';
import { BRIDGE_TEXT } from '#rules/portfolio/bridge/bridge-text.ts';
import { toCents } from '#units/money.ts';

/** Every day of the bridge as a table: dollars, one column a cause. */
export function bridgeFile(days: readonly BridgeDay[]): string {
  const heads = [
    'Day',
    'Invested',
    'Published',
    ...BRIDGE_STEPS.map((step) => BRIDGE_TEXT[step].label),
    'Yours',
  ];
  const rows = days.map(({ date, invested, published, steps, mine }) => [
    date,
    ...[invested, published, ...BRIDGE_STEPS.map((step) => steps[step]), mine].map((amount) =>
      toCents(amount).toFixed(2),
    ),
  ]);
  return [heads, ...rows].map((row) => `${row.map(quoted).join(',')}\r\n`).join('');
}

function quoted(text: string): string {
  return text.includes(',') ? `"${text}"` : text;
}
