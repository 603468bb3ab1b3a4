import { sellerCaller } from '../../../../../functions/shared/auth/bearer.ts';
import { ApiError } from '../../../../../functions/shared/contract/errors.ts';
import { createRequestContext } from '../../../../../functions/shared/lambda/request-context.ts';
import { bearer, call, newOperatorKey, newSecret, newTenant } from '../../../../support/call.ts';
import { newOwner, newWebhook } from '../../../../support/samples/webhooks.ts';

const named = (applicationId: string) => ({ 'x-application-id': applicationId });
const list = (headers: Record<string, string>) => call('webhooks.webhook-list', { headers });

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

test('an operator has to name the application', async () => {
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

describe('the reason of an operator', () => {
  test.each([
    ['100% sure', 'must be percent-encoded UTF-8'],
    ['%E4', 'must be percent-encoded UTF-8'],
    ['%20', 'must not be blank'],
    ['', 'must not be empty'],
    ['a%0Ab', 'must be one line without control characters and direction overrides'],
    ['x'.repeat(501), 'must be at most 500 characters long'],
  ])('%j is refused: %s', async (reason, problem) => {
    const owner = await newOwner();
    const operator = { ...bearer(await newOperatorKey()), ...named(owner.applicationId) };
    const { status, body } = await list({ ...operator, 'x-reason': reason });
    expect([status, body.error, body.details]).toEqual([400, 'invalid_request', { 'x-reason': problem }]);
    // An application has no record to keep it in.
    expect((await list({ ...bearer(owner.apiKey), 'x-reason': reason })).status).toBe(200);
  });

  test('is given once', async () => {
    const { applicationId } = await newTenant();
    const headers = { ...bearer(await newOperatorKey()), ...named(applicationId), 'x-reason': 'One.' };
    const multiValueHeaders = { 'x-reason': ['Two.', 'One.'] };
    const context = createRequestContext({ headers, multiValueHeaders }, Date.now());
    await expect(sellerCaller(context, { operatorScope: 'finance' })).rejects.toMatchObject({
      code: 'invalid_request',
      details: { 'x-reason': 'must be given once' },
    });
  });
});

/** The caller whom the authenticator and the rate limit let pass, or the status and code of the refusal. */
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
