import { afterEach, describe, expect, test, vi } from 'vitest';
import { call } from '../../../../support/call.ts';
import { newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { bearer, newOperatorKey } from '../../../../support/tenants.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const list = (headers: Record<string, string>) => call('webhooks.webhook-list', { headers });
const named = (applicationId: string) => ({ 'x-application-id': applicationId });

describe('an application', () => {
  test('is known by its client secret, by its API key, and by an operator who names it', async () => {
    const owner = await newOwner();
    const { webhook } = await newWebhook(owner);
    const credentials = [
      bearer(owner.apiKey),
      { ...bearer(await newOperatorKey()), ...named(owner.applicationId) },
      { ...bearer(owner.apiKey), ...named(owner.applicationId) },
    ];
    for (const headers of credentials) {
      const { status, body } = await list(headers);
      expect([status, body]).toEqual([200, { webhooks: [webhook] }]);
    }
    const { status, body } = await list(bearer(owner.clientSecret));
    expect([status, body]).toEqual([200, { webhooks: [] }]);
  });

  test('cannot name another application', async () => {
    const [owner, other] = await Promise.all([newOwner(), newOwner()]);
    for (const secret of [owner.clientSecret, owner.apiKey]) {
      for (const name of [other.applicationId, '', 'app_unknown']) {
        const { status, body } = await list({ ...bearer(secret), ...named(name) });
        expect([status, body.error, body.details]).toEqual([
          400,
          'invalid_request',
          { 'x-application-id': 'names another application' },
        ]);
      }
    }
  });

  test('has one rate limit for both kinds of its secrets, and operators who act for it are not counted', async () => {
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '2');
    vi.useFakeTimers({ toFake: ['Date'] });
    const owner = await newOwner();
    const operator = { ...bearer(await newOperatorKey()), ...named(owner.applicationId) };
    for (let i = 0; i < 4; i += 1) expect((await list(operator)).status).toBe(200);
    expect((await list(bearer(owner.clientSecret))).status).toBe(200);
    expect((await list(bearer(owner.apiKey))).status).toBe(200);
    const { status, body } = await list(bearer(owner.apiKey));
    expect([status, body.error]).toEqual([429, 'rate_limited']);
    expect((await list(operator)).status).toBe(200);
  });
});

describe('an operator', () => {
  test('has to name the application', async () => {
    const headers = bearer(await newOperatorKey());
    for (const request of [headers, { ...headers, ...named('') }]) {
      const { status, body } = await list(request);
      expect([status, body.error, body.details]).toEqual([
        400,
        'invalid_request',
        { 'x-application-id': 'is required once with an operator key' },
      ]);
    }
  });
});
