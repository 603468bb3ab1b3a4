import { describe, expect, test } from 'vitest';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { updateItem } from '../../../../functions/shared/table/table.ts';
import {
  answered,
  authorization,
  Browser,
  browse,
  form,
  formType,
  issuer,
  newPkce,
} from '../../../support/oauth-samples.ts';
import { newTenant, type Tenant } from '../../../support/tenants.ts';

const { challenge } = newPkce();

async function opened(more: Record<string, string | undefined>, given?: Tenant) {
  const tenant = given ?? (await newTenant());
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

describe('nobody is sent to an address that is not registered', () => {
  const registered = 'https://app.example/callback';
  test.each([
    'https://app.example/callback/',
    'https://app.example/callback/../evil',
    'https://app.example/callbac',
    'https://app.example/callback?next=https://evil.example',
    'https://app.example/callback#fragment',
    'https://app.example:8443/callback',
    'https://app.example:443/callback',
    'http://app.example/callback',
    'HTTPS://app.example/callback',
    'https://App.example/callback',
    'https://app.example/Callback',
    'https://app.example@evil.example/callback',
    'https://user@app.example/callback',
    'https://app.example.evil.example/callback',
    'https://app.example%2fcallback',
    'https://app.example/%63allback',
    'https://app.example/callback%00',
    ' https://app.example/callback',
    '//app.example/callback',
    'javascript:alert(1)',
    'data:text/html,x',
  ])('%s', async (redirect_uri) => {
    const answer = await opened({ redirect_uri });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
    expect(answer.headers['content-type']).toBe('text/html; charset=utf-8');
    expect(answer.text).not.toContain('<form');
    const tenant = await newTenant();
    const body = form({ ...authorization(tenant, challenge, { redirect_uri }), step: 'deny' });
    const posted = await browse('oauth.consent-submit', { body, headers: formType });
    expect([posted.status, posted.headers.location]).toEqual([400, undefined]);
  });

  test('nor to a registered one that has a fragment', async () => {
    const tenant = await register(await newTenant(), [`${registered}#a`]);
    expect((await opened({ redirect_uri: `${registered}#a` }, tenant)).status).toBe(400);
    expect((await opened({ redirect_uri: undefined }, tenant)).status).toBe(400);
  });

  test('left out, it is the only one that is registered; with two, or none, nobody can say', async () => {
    const tenant = await newTenant();
    const query = { redirect_uri: undefined, response_type: 'token' };
    expect((await opened(query, tenant)).headers.location).toContain(`${registered}?`);
    await register(tenant, [registered, 'https://app.example/other']);
    expect((await opened(query, tenant)).status).toBe(400);
    await register(tenant, []);
    expect((await opened(query, tenant)).status).toBe(400);
  });
});

test.each([undefined, '', 'app_unknown', 'app_unknown" onload="x', 'USER#1'])(
  'client_id %s shows a page and redirects nowhere',
  async (client_id) => {
    const answer = await opened({ client_id });
    expect([answer.status, answer.headers.location]).toEqual([400, undefined]);
  },
);

describe('whatever else is wrong goes back to the application, with state and issuer', () => {
  const rows: [string, Record<string, string | undefined>, string][] = [
    ['a response type other than code', { response_type: 'token' }, 'unsupported_response_type'],
    ['no challenge', { code_challenge: undefined }, 'invalid_request'],
    ['an empty challenge', { code_challenge: '' }, 'invalid_request'],
    ['a challenge by the plain method', { code_challenge_method: 'plain' }, 'invalid_request'],
    [
      'a challenge without a method, which would be plain',
      { code_challenge_method: undefined },
      'invalid_request',
    ],
    ['a challenge that no SHA-256 gives', { code_challenge: 'short' }, 'invalid_request'],
    ['an unknown scope', { scope: 'profile everything' }, 'invalid_scope'],
    ['a scope in another case', { scope: 'Vault' }, 'invalid_scope'],
  ];
  test.each(rows)('%s', async (_, more, error) => {
    const answer = await opened(more);
    expect(answer.status).toBe(303);
    expect(answer.headers.location).toMatch(/^https:\/\/app\.example\/callback\?/);
    expect(answered(answer)).toMatchObject({ error, state: 'state-1', iss: issuer });
    expect(answered(answer)).not.toHaveProperty('code');
  });

  test('a state that cannot come back as it was is refused without it', async () => {
    for (const state of ['x'.repeat(2_001), 'a\nb', 'a\u0000']) {
      const answer = answered(await opened({ state }));
      expect(answer).toMatchObject({ error: 'invalid_request', iss: issuer });
      expect(answer).not.toHaveProperty('state');
    }
  });

  test('the query of the registered address stays as it is', async () => {
    const tenant = await register(await newTenant(), ['https://app.example/cb?a=1%20&b']);
    const { headers } = await opened({ redirect_uri: 'https://app.example/cb?a=1%20&b', scope: 'x' }, tenant);
    expect(headers.location).toMatch(/^https:\/\/app\.example\/cb\?a=1%20&b&error=invalid_scope&/);
  });
});

test('PKCE may be left out by a confidential application that has opted out, never by a public one', async () => {
  const bare = { code_challenge: undefined, code_challenge_method: undefined };
  expect((await opened(bare, await newTenant({ pkceOptional: true }))).status).toBe(200);
  expect((await opened(bare, await newTenant({ pkceOptional: true, public: true }))).status).toBe(303);
  expect((await opened(bare, await newTenant({ pkceOptional: 'true' }))).status).toBe(303);
});

test('a parameter that is given twice is refused, and nobody is sent anywhere', async () => {
  const tenant = await newTenant();
  const query = authorization(tenant, challenge);
  for (const name of Object.keys(query)) {
    const body = `${form({ ...query, step: 'deny' })}&${name}=${encodeURIComponent(query[name] ?? '')}`;
    const answer = await browse('oauth.consent-submit', {
      body,
      headers: { ...formType, accept: 'text/html' },
    });
    expect([answer.status, answer.headers.location], name).toEqual([400, undefined]);
    expect(answer.text, name).toMatch(/^<!doctype html>/);
  }
});

test('another content type, an empty and an endless body are refused', async () => {
  const tenant = await newTenant();
  const good = { ...authorization(tenant, challenge), step: 'deny' };
  for (const [body, type] of [
    [JSON.stringify(good), 'application/json'],
    [form(good), 'text/plain'],
    [form(good), 'multipart/form-data'],
    ['', formType['content-type']],
    [`${form(good)}&pad=${'x'.repeat(70_000)}`, formType['content-type']],
  ] as const) {
    const answer = await browse('oauth.consent-submit', { body, headers: { 'content-type': type } });
    expect([answer.status, answer.body.error]).toEqual([400, 'invalid_request']);
  }
});

describe('text from outside is text and nothing else', () => {
  const attack = `"><script>alert(1)</script><img src=x onerror='alert(2)'>&lt;`;

  test('in every parameter of a good request', async () => {
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
    expect(answered(await browser.send('deny')).state).toBe(attack);
  });

  test.each([
    'client_id',
    'redirect_uri',
    'scope',
    'response_type',
    'code_challenge',
    'code_challenge_method',
    'notice',
  ])('in %s', async (name) => {
    const { text } = await opened({ [name]: attack });
    expect(text).not.toMatch(/<script|<img/);
  });
});

describe('the page', () => {
  test('tells browsers that nothing may frame it, run in it, or learn where it was', async () => {
    const { headers, text } = await opened({});
    expect(headers['content-security-policy']).toMatch(
      /^default-src 'none'; style-src 'sha256-[\w+/=]+'; form-action 'self' https:\/\/app\.example; base-uri 'none'; frame-ancestors 'none'$/,
    );
    expect(headers).toMatchObject({
      'x-frame-options': 'DENY',
      'referrer-policy': 'no-referrer',
      'cache-control': 'no-store',
    });
    expect(text).not.toMatch(/<script|\son\w+=|style="|https?:\/\/(?!app\.example)/);
  });

  test('of a native application may end at its own scheme', async () => {
    const tenant = await register(await newTenant(), ['com.example.app:/done']);
    const { headers } = await opened({ redirect_uri: 'com.example.app:/done' }, tenant);
    expect(headers['content-security-policy']).toContain("form-action 'self' com.example.app:;");
  });

  test('of a host that could end the directive names its scheme only', async () => {
    const tenant = await register(await newTenant(), ["https://a;script-src'x'.example/cb"]);
    const { headers } = await opened({ redirect_uri: "https://a;script-src'x'.example/cb" }, tenant);
    expect(headers['content-security-policy']).toContain("form-action 'self' https:; base-uri");
  });

  test('sets a cookie that no script reads, no other host plants and no other site sends by post', async () => {
    const { cookies } = await opened({});
    expect(cookies).toEqual([
      expect.stringMatching(
        /^__Host-vouchsafe-consent=[\w-]{22}; Path=\/; Max-Age=900; HttpOnly; SameSite=Lax; Secure$/,
      ),
    ]);
  });

  test('over plain http has a cookie that such browsers keep', async () => {
    process.env.PUBLIC_URL = 'http://127.0.0.1:3000';
    try {
      expect((await opened({})).cookies[0]).toMatch(/^vouchsafe-consent=[^;]+;(?!.*Secure)/);
    } finally {
      delete process.env.PUBLIC_URL;
    }
  });
});
