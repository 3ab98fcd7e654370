// Under which ticker people see an instrument, for queries: on the New York day of an instant. Few were ever renamed, and to see
// that one was not takes far less than a call of `ticker_on`.

/** Of a symbol and an instant, as expressions of SQL. */
export function tickerAt(symbol: string, at: string): string {
  return `case when ${wasRenamed(symbol)} then ticker_on(${symbol}, ${dayOf(at)}) else ${symbol} end`;
}

/** Those that it had before and has no more, newest first: an array. */
export function formerTickersAt(symbol: string, at: string): string {
  return `case when ${wasRenamed(symbol)} then former_tickers(${symbol}, ${dayOf(at)}) else '{}' end`;
}

function wasRenamed(symbol: string): string {
  return `exists (select from instrument_facts named where named.symbol = ${symbol} and named.kind = 'ticker' and named.value <> ${symbol})`;
}

function dayOf(at: string): string {
  return `(${at} at time zone 'America/New_York')::date`;
}
