import { describe, expect, test } from 'vitest';
import { call } from '../../../../support/call.ts';
import { invalidGrant, outcome } from '../../../../support/oauth/tokens.ts';
import { formType } from '../../../../support/samples/forms.ts';
import { basicCredentials, tokenCall } from '../../../../support/samples/oauth.ts';
import { newTenant } from '../../../../support/tenants.ts';

describe('client authentication', () => {
  const unknownGrant = { grant_type: 'refresh_token', refresh_token: 'vrt_unknown' };
  const ask = (fields: Record<string, string>, headers = {}) =>
    call('oauth.token', tokenCall({ ...unknownGrant, ...fields }, headers));

  test('accepts HTTP Basic, credentials in the body, and the id of a public client', async () => {
    const tenant = await newTenant();
    const open = await newTenant({ public: true });
    const { applicationId: id, clientSecret: secret } = tenant;
    for (const response of [
      await ask({}, basicCredentials(id, secret)),
      await ask({ client_id: id }, basicCredentials(id, secret)),
      await ask({ client_id: id, client_secret: secret }),
      await ask({ client_id: open.applicationId }),
      await ask({ client_id: open.applicationId, client_secret: open.clientSecret }),
    ]) {
      expect(outcome(response)).toEqual(invalidGrant);
    }
  });

  test('fails with 401 and a Basic challenge', async () => {
    const tenant = await newTenant();
    const other = await newTenant();
    const open = await newTenant({ public: true });
    const { applicationId: id, clientSecret: secret } = tenant;
    for (const response of [
      await ask({}),
      await ask({ client_id: '' }),
      await ask({ client_id: id }),
      await ask({ client_id: id, client_secret: '' }),
      await ask({ client_id: 'app_unknown', client_secret: secret }),
      await ask({ client_id: id, client_secret: `${secret}x` }),
      await ask({ client_id: id, client_secret: other.clientSecret }),
      await ask({ client_id: id, client_secret: tenant.apiKey }),
      await ask({ client_id: open.applicationId, client_secret: 'wrong' }),
      await ask({}, basicCredentials(id, 'wrong')),
      await ask({}, basicCredentials('', secret)),
      await ask({}, { authorization: `Bearer ${secret}` }),
      await ask({}, { authorization: 'Basic' }),
      await ask({}, { authorization: 'Basic %%%' }),
      await ask({}, { authorization: `Basic ${Buffer.from('no colon').toString('base64')}` }),
      await ask({}, { authorization: `Basic ${Buffer.from('%zz:%zz').toString('base64')}` }),
    ]) {
      expect(outcome(response)).toEqual([401, 'invalid_client']);
      expect(response.headers['www-authenticate']).toMatch(/^Basic realm="oauth"/);
      expect(response.body.error_description).toMatch(/^[\x20-\x7e]+$/);
    }
  });

  test('refuses two methods in one request', async () => {
    const { applicationId: id, clientSecret: secret } = await newTenant();
    for (const fields of [{ client_id: id, client_secret: secret }, { client_id: 'app_other' }]) {
      expect(outcome(await ask(fields as never, basicCredentials(id, secret)))).toEqual([
        400,
        'invalid_request',
      ]);
    }
  });
});

const endless = 'a'.repeat(2_100);

test('a client id longer than a table key is an unknown client, not a server error', async () => {
  const token = await call('oauth.token', {
    headers: formType,
    body: `grant_type=authorization_code&code=x&client_id=${endless}`,
  });
  expect([token.status, token.body.error]).toEqual([401, 'invalid_client']);
  const revoked = await call('oauth.revoke', { headers: formType, body: `token=x&client_id=${endless}` });
  expect([revoked.status, revoked.body.error]).toEqual([401, 'invalid_client']);
  const page = await call('oauth.consent-show', { query: { client_id: endless, scope: 'profile' } });
  expect([page.status, page.headers.location]).toEqual([400, undefined]);
});
