import * as keys from '../../../../../functions/shared/contract/keys.ts';
import { newTenant, type Tenant, updateItem } from '../../../../support/call.ts';
import { browse, form, formType } from '../../../../support/samples/forms.ts';
import {
  authorization,
  Browser,
  issuer,
  newPkce,
  redirectParameters,
} from '../../../../support/samples/oauth.ts';

const { challenge } = newPkce();

async function openPage(more: Record<string, string | undefined>, existing?: Tenant) {
  const tenant = existing ?? (await newTenant());
  return browse('oauth.consent-show', { query: authorization(tenant, challenge, more) });
}

async function register(tenant: Tenant, redirectUris: string[]): Promise<Tenant> {
  await updateItem(keys.application(tenant.applicationId), {
    UpdateExpression: 'SET redirectUris = :uris',
    ConditionExpression: 'attribute_exists(pk)',
    ExpressionAttributeValues: { ':uris': redirectUris },
  });
  return tenant;
}

describe('an unregistered redirect URI', () => {
  const registered = 'https://app.example/callback';
  test.each([
    'https://app.example/callback/',
    'https://app.example/callback?next=https://evil.example',
    'HTTPS://app.example/callback',
    'https://app.example@evil.example/callback',
    'javascript:alert(1)',
  ])('%s shows a page and redirects nowhere', async (redirect_uri) => {
    const response = await openPage({ redirect_uri });
    expect([response.status, response.headers.location]).toEqual([400, undefined]);
    expect(response.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(response.text).not.toContain('<form');
    const tenant = await newTenant();
    const body = form({ ...authorization(tenant, challenge, { redirect_uri }), step: 'deny' });
    const posted = await browse('oauth.consent-submit', { body, headers: formType });
    expect([posted.status, posted.headers.location]).toEqual([400, undefined]);
  });

  test('a registered redirect URI with a fragment is refused', async () => {
    const tenant = await register(await newTenant(), [`${registered}#a`]);
    expect((await openPage({ redirect_uri: `${registered}#a` }, tenant)).status).toBe(400);
    expect((await openPage({ redirect_uri: undefined }, tenant)).status).toBe(400);
  });

  test('an omitted redirect URI defaults to the registered one, and is refused unless there is exactly one', async () => {
    const tenant = await newTenant();
    const query = { redirect_uri: undefined, response_type: 'token' };
    expect((await openPage(query, tenant)).headers.location).toContain(`${registered}?`);
    await register(tenant, [registered, 'https://app.example/other']);
    expect((await openPage(query, tenant)).status).toBe(400);
    await register(tenant, []);
    expect((await openPage(query, tenant)).status).toBe(400);
  });
});

test.each([undefined, 'app_unknown', 'a'.repeat(2_100)])(
  'client_id %s shows a page and redirects nowhere',
  async (client_id) => {
    const response = await openPage({ client_id });
    expect([response.status, response.headers.location]).toEqual([400, undefined]);
  },
);

describe('any other error', () => {
  const rows: [string, Record<string, string | undefined>, string][] = [
    ['a response type other than code', { response_type: 'token' }, 'unsupported_response_type'],
    ['a challenge by the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    [
      'a challenge without a method, which would be plain',
      { code_challenge_method: undefined },
      'invalid_request',
    ],
    ['an unknown scope', { scope: 'profile everything' }, 'invalid_scope'],
  ];
  test.each(rows)(
    '%s redirects to the application with the error, state and issuer',
    async (_, more, error) => {
      const response = await openPage(more);
      expect(response.status).toBe(303);
      expect(response.headers.location).toMatch(/^https:\/\/app\.example\/callback\?/);
      expect(redirectParameters(response)).toMatchObject({ error, state: 'state-1', iss: issuer });
      expect(redirectParameters(response)).not.toHaveProperty('code');
    },
  );
});

test('only a confidential application that has opted out may omit PKCE', async () => {
  const bare = { code_challenge: undefined, code_challenge_method: undefined };
  expect((await openPage(bare, await newTenant({ pkceOptional: true }))).status).toBe(200);
  expect((await openPage(bare, await newTenant({ pkceOptional: true, public: true }))).status).toBe(303);
  expect((await openPage(bare, await newTenant({ pkceOptional: 'true' }))).status).toBe(303);
});

test('a repeated parameter shows a page and redirects nowhere', async () => {
  const tenant = await newTenant();
  const query = authorization(tenant, challenge);
  for (const name of Object.keys(query)) {
    const body = `${form({ ...query, step: 'deny' })}&${name}=${encodeURIComponent(query[name] ?? '')}`;
    const response = await browse('oauth.consent-submit', {
      body,
      headers: { ...formType, accept: 'text/html' },
    });
    expect([response.status, response.headers.location], name).toEqual([400, undefined]);
    expect(response.text, name).toMatch(/^<!doctype html>/);
  }
});

describe('markup in the input is escaped', () => {
  const attack = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`;

  test('in the parameters of a valid request', async () => {
    const tenant = await newTenant();
    await updateItem(keys.application(tenant.applicationId), {
      UpdateExpression: 'SET #name = :name',
      ConditionExpression: 'attribute_exists(pk)',
      ExpressionAttributeNames: { '#name': 'name' },
      ExpressionAttributeValues: { ':name': attack },
    });
    const browser = new Browser();
    const pages = [await browser.open(authorization(tenant, challenge, { state: attack }))];
    pages.push(await browser.send('send', { email: attack }));
    for (const { text } of pages) {
      expect(text).toContain('&lt;script&gt;');
      expect(text).not.toMatch(/<script|<img|onerror='/);
    }
    expect(redirectParameters(await browser.send('deny')).state).toBe(attack);
  });
});

describe('the page', () => {
  test('forbids framing, script and referrers', async () => {
    const { headers, text } = await openPage({});
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; img-src data:; form-action 'self' https:\/\/app\.example; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    // The namespace of the icon is a name, not an address that is loaded.
    expect(text).not.toMatch(/<script|\son\w+=|style="|https?:\/\/(?!app\.example|www\.w3\.org\/2000\/svg)/);
  });

  test('sets a cookie that is HttpOnly, bound to the host and SameSite', async () => {
    const { cookies } = await openPage({});
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-vouchsafe-consent=[\w-]{22}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });
});
