// A strategy that a person has written and not published.
import { SAMPLE_DEFINITIONS } from './engine/sample-definitions.ts';
import type { StrategyId } from '#units/identifiers.ts';
import type { TestApp } from './test-app.ts';

export async function postDraft(
  { request }: Pick<TestApp, 'request'>,
  token: string,
  definition: object = SAMPLE_DEFINITIONS['trend']!,
): Promise<StrategyId> {
  const form = new FormData();
  const fields = {
    name: 'Mine',
    shortDescription: 'short',
    strategy_type: 'trend_following',
    market: 'us',
    min_investment: '10000',
    definition: JSON.stringify(definition),
  };
  for (const [name, value] of Object.entries(fields)) form.set(name, value);
  const encoded = new Response(form);
  const { body } = await request({
    method: 'POST',
    url: '/api/strategies/',
    token,
    headers: { 'content-type': encoded.headers.get('content-type')! },
    payload: Buffer.from(await encoded.arrayBuffer()),
  });
  return body.id;
}
