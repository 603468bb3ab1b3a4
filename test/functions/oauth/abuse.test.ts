import { expect, test } from 'vitest';
import { call } from '../../support/call.ts';

const endless = 'a'.repeat(2_100);
const form = { 'content-type': 'application/x-www-form-urlencoded' };

test('a client id longer than a table key is an unknown client, not a server error', async () => {
  const token = await call('oauth.token', {
    headers: form,
    body: `grant_type=authorization_code&code=x&client_id=${endless}`,
  });
  expect([token.status, token.body.error]).toEqual([401, 'invalid_client']);
  const revoked = await call('oauth.revoke', { headers: form, body: `token=x&client_id=${endless}` });
  expect([revoked.status, revoked.body.error]).toEqual([401, 'invalid_client']);
  const page = await call('oauth.consent-show', { query: { client_id: endless, scope: 'profile' } });
  expect([page.status, page.headers.location]).toEqual([400, undefined]);
});
