/** The data that the last release wrote is read and changed by this one. */
import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { readFixture } from '../../upgrade/fixture.ts';
import { authorizationRequest, ConsentBrowser, redeem, refresh } from '../../upgrade/record-oauth.ts';
import {
  bearer,
  ciphertext,
  forUser,
  largeCiphertext,
  mailedCode,
  ok,
  stripeEvent,
} from '../../upgrade/records.ts';
import { lastRelease } from '../../upgrade/release.ts';
import type { StackAt } from '../../upgrade/stack.ts';
import { leaveModules, ownModules, startWith } from '../../upgrade/start-with.ts';

const fixture = readFixture(lastRelease);
const { operatorKey, tenants, shares, devices, links, grants, subscriptions, due } = fixture.held;
const dayS = 86_400;
let stack: StackAt;

beforeAll(async () => {
  await ownModules();
  stack = await startWith(fixture);
});
afterAll(async () => {
  // In one hook: vitest skips the other `afterAll` hooks of a file after one that throws.
  try {
    await stack?.stop();
  } finally {
    leaveModules();
  }
});

const get = (path: string, headers?: Record<string, string>) =>
  stack.sendJson('GET', path, undefined, headers);
const post = (path: string, body: unknown, headers?: Record<string, string>) =>
  stack.sendJson('POST', path, body, headers);
const seller = () => stack.known(tenants.offline._id, tenants.offline.apiKey);
const shop = () => stack.known(tenants.sandbox._id, tenants.sandbox.apiKey);
const merchant = () => stack.known(tenants.stripe._id, tenants.stripe.apiKey);
const command = async (id: string, what: string, body?: object) =>
  ok(await seller().call('POST', `/subscriptions/${id}${what}`, body));

describe('oauth', () => {
  test('an authorization code is redeemed once', async () => {
    expect((await redeem(stack, tenants, 'second', grants.code)).body).toMatchObject({
      token_type: 'Bearer',
    });
    expect((await redeem(stack, tenants, 'second', grants.code)).body).toMatchObject({
      error: 'invalid_grant',
    });
  });

  test('a sign-in code, which is valid for five minutes, is asked for again, and the session allows a request', async () => {
    const request = authorizationRequest(tenants, 'other');
    const browser = new ConsentBrowser(stack, request, grants.signIn.cookie);
    const { email } = tenants.user;
    expect((await browser.submit('sign-in', { email, code: grants.signIn.code })).status).toBe(400);
    await browser.submit('resend', { email });
    await browser.submit('sign-in', { email, code: await mailedCode(stack, email) });
    expect(ok(await redeem(stack, tenants, 'other', await browser.allow())).scope).toBe(
      'profile trust_links:write',
    );
    const known = new ConsentBrowser(stack, authorizationRequest(tenants, 'third'), grants.session);
    expect(ok(await redeem(stack, tenants, 'third', await known.allow())).token_type).toBe('Bearer');
  });

  test('an access token reads, a refresh token is refreshed, and a replaced one revokes both', async () => {
    expect((await get('/api/trust-links', bearer(grants.access))).status).toBe(200);
    const tokens = ok(await refresh(stack, tenants, grants.refresh));
    expect((await get('/api/trust-links', bearer(tokens.access_token))).status).toBe(200);
    expect((await refresh(stack, tenants, grants.replaced)).body.error).toBe('invalid_grant');
    expect((await refresh(stack, tenants, tokens.refresh_token)).body.error).toBe('invalid_grant');
  });
});

describe('devices', () => {
  const { small } = devices;

  test('a code trusts the device in quarantine, which then opens the vault', async () => {
    const { deviceId, code } = small.quarantined;
    const headers = { ...small.headers, 'x-device-id': deviceId };
    expect((await get(`/api/vault?userId=${small.userId}`, headers)).status).toBe(403);
    const trusting = { userId: small.userId, userEmail: small.email, deviceId, code };
    expect((await post('/api/auth/mfa/verify', trusting)).body).toMatchObject({ success: true });
    expect((await get(`/api/vault?userId=${small.userId}`, headers)).body).toMatchObject(ciphertext);
  });

  test('the address of a code that the former release counted gets the next one', async () => {
    const { userId, email } = small;
    // The limit of three requests a minute, which the recording has used in part.
    await stack.clockBy(60);
    expect((await post('/api/auth/mfa/send', { email })).body).toMatchObject({ success: true });
    const code = await mailedCode(stack, email);
    const signals = { clientDeviceUUID: randomUUID() };
    const { deviceId } = ok(await post('/api/auth/device-check', { userId, signals }));
    const trusting = { userId, userEmail: email, deviceId, code };
    expect((await post('/api/auth/mfa/verify', trusting)).body).toMatchObject({ success: true });
  });

  test('trusted devices are listed, and one is revoked', async () => {
    const listed = ok(await get(`/api/devices?userId=${small.userId}`));
    expect(JSON.stringify(listed)).toContain(small.secondDeviceId);
    const target = `/api/devices?userId=${small.userId}&deviceHash=${small.secondDeviceId}`;
    ok(await stack.sendJson('DELETE', target));
    const headers = { ...small.headers, 'x-device-id': small.secondDeviceId };
    expect((await get(`/api/vault?userId=${small.userId}`, headers)).status).toBe(403);
  });
});

describe('vault', () => {
  test.each([
    ['in one item', devices.small, ciphertext],
    ['in several items', devices.large, largeCiphertext],
  ] as const)(
    'a vault %s is read with its proof alone, and takes the next version',
    async (_, owner, content) => {
      const { userId, headers, versions } = owner;
      const read = ok(await get(`/api/vault?userId=${userId}`, headers));
      expect(read).toMatchObject({ ...content, version: versions });
      const wrong = { ...headers, 'x-auth-hash': '0'.repeat(64) };
      expect((await get(`/api/vault?userId=${userId}`, wrong)).status).toBe(401);
      const written = ok(
        await post('/api/vault', { userId, ...ciphertext, data_blob: 'BAUG', version: versions }, headers),
      );
      expect(written.version).toBe(versions + 1);
      expect(ok(await get(`/api/vault?userId=${userId}`, headers)).data_blob).toBe('BAUG');
    },
  );
});

describe('shares', () => {
  test.each([
    [shares.oneTime, ciphertext.data_blob],
    [shares.large, largeCiphertext.data_blob],
  ])('the one-time share %s opens for one of many readers', async (id, content) => {
    const opened = await Promise.all(Array.from({ length: 4 }, () => get(`/api/share?id=${id}`)));
    expect(opened.filter(({ status }) => status === 200).map(({ body }) => body.data_blob)).toEqual([
      content,
    ]);
    expect((await get(`/api/share?id=${id}`)).status).toBe(404);
  });

  test.each([
    [shares.repeated, ciphertext.data_blob],
    [shares.largeRepeated, largeCiphertext.data_blob],
  ])('the share %s opens repeatedly', async (id, content) => {
    for (const _ of [1, 2]) expect(ok(await get(`/api/share?id=${id}`)).data_blob).toBe(content);
  });
});

describe('operator', () => {
  test('an operator key reads and changes an application and a user', async () => {
    const path = `/api/operator/applications/${tenants.offline._id}`;
    const { application } = ok(await get(path, bearer(operatorKey)));
    expect(application).toMatchObject({
      name: 'Seller none',
      settings: { banking: { bankName: 'Example Bank' } },
    });
    const { name, redirectUris, settings } = application;
    const changed = { name: `${name} 2`, redirectUris, settings };
    ok(await stack.sendJson('PUT', path, changed, bearer(operatorKey)));
    expect(ok(await get(path, bearer(operatorKey))).application.name).toBe('Seller none 2');
    const user = ok(await get(`/api/operator/users/${tenants.user.userId}`, bearer(operatorKey)));
    expect(JSON.stringify(user)).toContain(tenants.user.email);
  });

  test('a user is reset: devices without a stamp end, and the vault that the release stored is removed', async () => {
    const { userId, headers } = devices.large;
    const path = `/api/operator/users/${userId}`;
    const ended = await post(`${path}/reset`, { devices: true, vault: true }, bearer(operatorKey));
    expect(ok(ended).reset).toEqual({ devices: true, proof: true, vault: true });
    expect((await get(`/api/vault?userId=${userId}`, headers)).status).toBe(403);
    expect(ok(await get(`${path}/history`, bearer(operatorKey))).history).toHaveLength(1);
  });

  test('a further API key works until it is revoked', async () => {
    const { keyId, apiKey } = tenants.offline.further;
    expect((await get('/plans', bearer(apiKey))).status).toBe(200);
    const path = `/api/operator/applications/${tenants.offline._id}/keys/${keyId}`;
    ok(await stack.sendJson('DELETE', path, undefined, bearer(operatorKey)));
    await stack.clockBy(60);
    expect((await get('/plans', bearer(apiKey))).status).toBe(401);
  });
});

describe('links', () => {
  const review = async (id: string) => ok(await get(`/api/operator/reviews/${id}`, bearer(operatorKey)));

  test('keep their status, and a repeated submission its response', async () => {
    const ids = [links.pending, links.verified, links.rejected, links.changed];
    const headers = forUser(tenants);
    const { body } = await post('/api/trust-links/verify', { linkIds: ids }, headers);
    expect(JSON.stringify(body)).toMatch(/pending.*verified.*rejected.*pending/);
    const again = await post('/api/trust-links', links.submission, {
      ...headers,
      'idempotency-key': 'submission-1',
    });
    expect(again.body).toEqual(links.submitted);
    const accounts = await post('/api/social-accounts/verify', { platforms: ['YouTube'] }, headers);
    expect(JSON.stringify(accounts.body)).toContain('verified');
  });

  test('wait in the queue, the changed one first, and are reviewed', async () => {
    const { reviews } = ok(await get('/api/operator/reviews', bearer(operatorKey)));
    expect(reviews.map(({ linkId }: { linkId: string }) => linkId)).toEqual([links.changed, links.pending]);
    for (const id of [links.changed, links.pending]) {
      const { revision } = await review(id);
      const decision = { revision, decision: 'verified' };
      ok(await post(`/api/operator/reviews/${id}`, decision, bearer(operatorKey)));
    }
    expect(ok(await get('/api/operator/reviews', bearer(operatorKey))).reviews).toEqual([]);
    ok(
      await stack.sendJson(
        'PUT',
        `/api/trust-links/${links.rejected}`,
        { title: 'mended' },
        forUser(tenants),
      ),
    );
    ok(await stack.sendJson('DELETE', `/api/trust-links/${links.verified}`, undefined, forUser(tenants)));
  });
});

describe('subscriptions', () => {
  const statusOf = async (id: string, of = seller()) => (await of.read(id)).status;

  test('an invoice is read, and paid by bank transfer, at the sandbox and by Stripe', async () => {
    const { invoices } = await seller().read(subscriptions.pending);
    const invoice = await seller().call('GET', `/invoices/${invoices[0]?._id}`);
    expect(invoice.body.invoice).toMatchObject({ status: 'open' });
    await command(subscriptions.pending, '/activate');
    await command(subscriptions.pastDue, '/activate');
    expect([await statusOf(subscriptions.pending), await statusOf(subscriptions.pastDue)]).toEqual([
      'active',
      'active',
    ]);

    await stack.choose(stack.url + subscriptions.checkout.path, 'pay');
    expect(await statusOf(subscriptions.checkout.id, shop())).toBe('active');
    await stack.choose(stack.url + subscriptions.paid.path, 'reverse');
    expect((await shop().read(subscriptions.paid.id)).invoices[0]?.status).toBe('open');

    const open = (await merchant().read(subscriptions.awaiting)).invoices[0]?._id ?? '';
    const deliver = async (id: string, invoiceId: string) => {
      const { payload, headers } = stripeEvent(id, tenants.stripe._id, invoiceId, await stack.now());
      ok(
        await stack.send(`/webhooks/stripe/${tenants.stripe._id}`, {
          method: 'POST',
          headers,
          body: payload,
        }),
      );
    };
    await deliver('other', open);
    expect(await statusOf(subscriptions.awaiting, merchant())).toBe('active');
    const before = await merchant().read(subscriptions.billed.id);
    await deliver('first', subscriptions.billed.invoiceId);
    expect(await merchant().read(subscriptions.billed.id)).toEqual(before);
  });

  test('commands apply', async () => {
    await command(subscriptions.paused, '/resume');
    await command(subscriptions.ending, '/uncancel');
    expect(await statusOf(subscriptions.paused)).toBe('active');
    expect(await seller().read(subscriptions.ending)).toMatchObject({ status: 'active' });
    expect((await seller().current('cancelled')).status).toBe('cancelled');
    const { id } = await seller().subscribe('cancelled', tenants.offline.plans.paid);
    expect(await statusOf(id)).toBe('pending');
  });

  test('mail that was due is sent', async () => {
    expect(await stack.mails(due.user)).toEqual([]);
    await stack.clockBy(600);
    expect((await stack.mails(due.user)).map(({ subject }) => subject)).toEqual([
      expect.stringMatching(/^New Device Login/),
    ]);
    expect(await stack.mails(due.subscriber)).toHaveLength(1);
  });

  test('advance to their next steps at the times that their executions wait for', async () => {
    await stack.clockBy(15 * dayS);
    const { status, invoices } = await seller().read(subscriptions.trialing);
    expect([status, invoices.length]).toEqual(['expired', 1]);
    expect(await stack.mails('trialing@example.com')).not.toEqual([]);
    await stack.clockBy(25 * dayS);
    const renewed = await seller().read(subscriptions.active);
    expect([renewed.status, renewed.invoices.length]).toEqual(['past_due', 2]);
    expect(await statusOf(due.subscription)).toBe('expired');
  });
});
