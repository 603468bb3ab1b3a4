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
});
