import { afterEach, describe, expect, test, vi } from 'vitest';
import { sellerCaller } from '../../../../../functions/shared/auth/bearer.ts';
import { ApiError } from '../../../../../functions/shared/contract/errors.ts';
import { createRequestContext } from '../../../../../functions/shared/lambda/request-context.ts';
import { bearer, newOperatorKey, newSecret, newTenant } from '../../../../support/tenants.ts';

afterEach(() => {
  vi.useRealTimers();
  vi.unstubAllEnvs();
});

const named = (applicationId: string) => ({ 'x-application-id': applicationId });

/** What the authenticator and the rate limit check say of a request, as the endpoint would answer it. */
async function authenticate(headers: Record<string, string>): Promise<unknown> {
  const context = createRequestContext({ headers, multiValueHeaders: {} }, Date.now());
  try {
    const caller = await sellerCaller(context, { operatorScope: 'finance' });
    await context.rateLimitPassed;
    return caller;
  } catch (error) {
    if (!(error instanceof ApiError)) throw error;
    return [error.status, error.code];
  }
}

describe('a seller', () => {
  test('is known by the API key of the application, and by an operator who names the application', async () => {
    const { applicationId, apiKey } = await newTenant();
    const operator = { ...bearer(await newOperatorKey()), ...named(applicationId) };
    expect(await authenticate(bearer(apiKey))).toEqual({ applicationId, by: 'api_key' });
    expect(await authenticate({ ...bearer(apiKey), ...named(applicationId) })).toEqual({
      applicationId,
      by: 'api_key',
    });
    expect(await authenticate(operator)).toEqual({
      applicationId,
      by: 'operator',
      operator: { keyId: expect.stringMatching(/^key_/), name: 'Olga Operator', from: 'Unknown' },
    });
  });

  test('is refused with a client secret, with a token of a user, and without a credential', async () => {
    const { applicationId, clientSecret } = await newTenant();
    const token = await newSecret('access_token', { applicationId, userId: 'user-1', scopes: ['vault'] });
    for (const headers of [
      bearer(clientSecret),
      { ...bearer(clientSecret), ...named(applicationId) },
      bearer(token.secret),
      named(applicationId),
    ])
      expect(await authenticate(headers)).toEqual([401, 'invalid_token']);
  });

  test('cannot name another application with an API key', async () => {
    const [seller, other] = await Promise.all([newTenant(), newTenant()]);
    for (const name of [other.applicationId, '', 'app_unknown'])
      expect(await authenticate({ ...bearer(seller.apiKey), ...named(name) })).toEqual([
        400,
        'invalid_request',
      ]);
  });

  test('has to be named by an operator, and has to exist', async () => {
    const operator = bearer(await newOperatorKey());
    expect(await authenticate(operator)).toEqual([400, 'invalid_request']);
    expect(await authenticate({ ...operator, ...named('') })).toEqual([400, 'invalid_request']);
    expect(await authenticate({ ...operator, ...named('app_unknown') })).toEqual([404, 'not_found']);
  });

  test('is counted by the rate limit of the application, and an operator is not', async () => {
    vi.stubEnv('APPLICATION_REQUESTS_PER_SECOND', '2');
    vi.useFakeTimers({ toFake: ['Date'] });
    const { applicationId, apiKey } = await newTenant();
    const operator = { ...bearer(await newOperatorKey()), ...named(applicationId) };
    for (let i = 0; i < 3; i += 1) expect(await authenticate(operator)).toMatchObject({ by: 'operator' });
    for (let i = 0; i < 2; i += 1)
      expect(await authenticate(bearer(apiKey))).toMatchObject({ by: 'api_key' });
    expect(await authenticate(bearer(apiKey))).toEqual([429, 'rate_limited']);
  });
});
