import { afterEach, describe, expect, test, vi } from 'vitest';
import { revocationSeconds } from '../../../../../functions/shared/contract/secret.ts';
import { secondMs } from '../../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../../support/call.ts';
import { asOperator } from '../../../../support/samples/operator.ts';
import { newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';
import { bearer, newOperatorKey, newSecret } from '../../../../support/tenants.ts';

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

  test('is refused with a token of a user, and with an expired secret', async () => {
    const { applicationId } = await newOwner();
    const token = await newSecret('access_token', { applicationId, userId: 'user-1', scopes: ['profile'] });
    const expired = await newSecret('client_secret', { applicationId, expiresAtMs: Date.now() - 1 });
    for (const { secret } of [token, expired]) {
      const { status, body } = await list(bearer(secret));
      expect([status, body.error]).toEqual([401, 'invalid_token']);
    }
  });

  test.each(['client_secret', 'api_key'])(
    'is refused 30 seconds after its %s was revoked, although it was used before',
    async (kind) => {
      vi.useFakeTimers({ toFake: ['Date'] });
      const { applicationId: id, clientSecret, apiKey } = await newOwner();
      const secret = kind === 'api_key' ? apiKey : clientSecret;
      expect((await list(bearer(secret))).status).toBe(200);
      const { body } = await call('operator.application-read', await asOperator({ params: { id } }));
      const { keyId } = body.application.keys.find((key: { kind: string }) => key.kind === kind);
      await call('operator.key-revoke', await asOperator({ params: { id, keyId } }));
      vi.advanceTimersByTime(revocationSeconds * secondMs);
      expect((await list(bearer(secret))).status).toBe(401);
    },
  );

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

  test.each(['app_01M8ABCDEFGHJKMNPQRSTVWXYZ', 'x', 'x'.repeat(5_000), '__proto__'])(
    'gets 404 for an application that does not exist: %.20s',
    async (applicationId) => {
      const { status, body } = await list({ ...bearer(await newOperatorKey()), ...named(applicationId) });
      expect([status, body.error]).toEqual([404, 'not_found']);
    },
  );
});
