/** A person approves at the page of Alpaca's stand-in, and comes back into the product. */
export async function approveAtAlpaca(authorizeUrl: string): Promise<void> {
  const decided = await fetch(authorizeUrl, {
    method: 'POST',
    body: new URLSearchParams({ decision: 'approve' }),
    redirect: 'manual',
  });
  const back = decided.headers.get('location');
  if (back === null) throw new Error(`the stand-in did not send the person back: ${decided.status}`);
  const returned = await fetch(back);
  const text = await returned.text();
  if (!returned.ok || text.includes('Not connected'))
    throw new Error(`the product did not take the person back: ${returned.status} ${text}`);
}
