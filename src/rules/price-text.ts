// Prices in the sentences of rules and notices: $44, $188.20, 1.10234 EUR. Broken ones have two decimals at least.

/** `currency` is the one that the instrument is quoted in, ISO 4217; without it the bare number. */
export function priceText(price: number, currency?: string): string {
  const number = price.toLocaleString('en-US', {
    minimumFractionDigits: Number.isInteger(price) ? 0 : 2,
    maximumFractionDigits: 8,
  });
  if (currency === undefined) return number;
  return currency === 'USD' ? `$${number}` : `${number} ${currency}`;
}
