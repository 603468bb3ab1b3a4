/** Forms that a page of another site submits in the name of a person who has one of the API's pages open. */

import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../functions/routes.ts';
import { handlerOf, proxyEvent, read } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

const forms = registeredRoutes().filter(
  ({ route }) => route.bodyType === 'form' && route.produces?.startsWith('text/html'),
);

test.each(forms)('$id accepts forms of its own page only', async (entry) => {
  const handler = await handlerOf(entry);
  const request = (await samples[entry.id]?.()) ?? {};
  const submit = async (site: string, accept: string) => {
    const headers = { ...request.headers, 'Sec-Fetch-Site': site, accept };
    return read(await handler(proxyEvent(entry, { ...request, headers })));
  };
  for (const site of ['cross-site', 'same-site', 'something-new']) {
    expect(await submit(site, '*/*')).toMatchObject({ status: 403, body: { error: 'forbidden' } });
    const page = await submit(site, 'text/html');
    expect(page.status).toBe(403);
    expect(page.headers['content-type']).toContain('text/html');
  }
  for (const site of ['same-origin', 'none']) {
    expect((await submit(site, '*/*')).body?.error).not.toBe('forbidden');
  }
});
