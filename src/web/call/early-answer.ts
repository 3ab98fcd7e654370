type Asked = { readonly address: string; readonly answer: Promise<Response> };

/**
 * What public/theme.js requested before the app had loaded: the strategy of a visitor's page. Taken once; a second call
 * sends its own request.
 */
export function takeEarlyAnswer(address: string): Promise<Response> | null {
  const page = globalThis as { earlyAnswer?: Asked };
  if (page.earlyAnswer?.address !== address) return null;
  const { answer } = page.earlyAnswer;
  delete page.earlyAnswer;
  return answer;
}
