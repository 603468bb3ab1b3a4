import { createHash } from 'node:crypto';
import {
  AuthorizationParameters,
  type Parameters,
  presentParameters,
} from '../../../../../functions/oauth/authorization/parameters.ts';
import { isCodeChallenge, matchesCodeChallenge } from '../../../../../functions/oauth/authorization/pkce.ts';
import {
  isPublicClient,
  validateAuthorizationRequest,
} from '../../../../../functions/oauth/authorization/request.ts';
import type { Application } from '../../../../../functions/shared/accounts/applications.ts';

const uri = 'https://app.example/callback';
const challenge = createHash('sha256').update('x'.repeat(43)).digest('base64url');
const good = { redirect_uri: uri, state: 's', code_challenge: challenge, code_challenge_method: 'S256' };
const application = (redirectUris = [uri], settings: Partial<Application['settings']> = {}) =>
  ({ applicationId: 'app_1', redirectUris, settings }) as unknown as Application;
const validate = (more: Partial<Parameters> = {}, of: Application | undefined = application()) =>
  validateAuthorizationRequest(Object.assign({ client_id: 'app_1' }, good, more) as Parameters, of);

describe('an authorization request', () => {
  test('is valid with a registered redirect URI and a code challenge', () => {
    const of = application();
    expect(validate({}, of)).toEqual({
      application: of,
      redirectUri: uri,
      scopes: ['profile'],
      state: 's',
      codeChallenge: challenge,
      redirectUriNamed: true,
    });
    expect(validate({ redirect_uri: undefined, response_type: 'code', scope: 'vault' })).toMatchObject({
      redirectUri: uri,
      scopes: ['vault'],
      redirectUriNamed: false,
    });
    expect(validate({ state: undefined })).toMatchObject({ state: undefined, redirectUri: uri });
  });

  const second = `${uri}/2`;
  test.each([
    ['an unknown application', {}, undefined, 'unknown_client'],
    ['another redirect URI', { redirect_uri: `${uri}/` }, application(), 'unregistered_redirect_uri'],
    ['none of several', { redirect_uri: undefined }, application([uri, second]), 'unregistered_redirect_uri'],
    ['none of none', { redirect_uri: undefined }, application([]), 'unregistered_redirect_uri'],
    ['a fragment', { redirect_uri: `${uri}#a` }, application([`${uri}#a`]), 'unregistered_redirect_uri'],
    [
      'a fragment by default',
      { redirect_uri: undefined },
      application([`${uri}#a`]),
      'unregistered_redirect_uri',
    ],
  ])('with %s is reported to the user alone', (_, more, of, reason) => {
    const parameters = Object.assign({}, good, more) as Parameters;
    expect(validateAuthorizationRequest(parameters, of)).toEqual({ reportTo: 'user', reason });
  });

  test('can name any of several redirect URIs', () => {
    expect(validate({ redirect_uri: second }, application([uri, second]))).toMatchObject({
      redirectUri: second,
    });
  });

  const required =
    'code challenge required: this client needs PKCE (RFC 7636), code_challenge with code_challenge_method S256';
  test.each([
    [{ response_type: 'token' }, 'unsupported_response_type', 'response_type must be code'],
    [{ code_challenge: undefined }, 'invalid_request', required],
    [{ code_challenge_method: 'plain' }, 'invalid_request', 'code_challenge_method must be S256'],
    [{ code_challenge_method: undefined }, 'invalid_request', 'code_challenge_method must be S256'],
    [{ code_challenge: 'short' }, 'invalid_request', 'code_challenge must be 43 characters of base64url'],
    [{ scope: 'everything' }, 'invalid_scope', 'scope is unknown'],
  ])('with %j is reported to the application: %s', (more, error, error_description) => {
    expect(validate(more)).toEqual({
      reportTo: 'application',
      redirectUri: uri,
      response: { error, error_description, state: 's' },
    });
  });

  test('has a state of at most 2,000 characters without controls, and an invalid one is not repeated', () => {
    expect(validate({ state: 'x'.repeat(2_000) })).toHaveProperty('redirectUri', uri);
    for (const state of ['x'.repeat(2_001), 'a\nb', '\u0085'])
      expect(validate({ state })).toMatchObject({
        reportTo: 'application',
        response: {
          error: 'invalid_request',
          error_description: 'state is too long or has control characters',
          state: undefined,
        },
      });
  });

  test('may omit PKCE only for a confidential application that has opted out', () => {
    const bare = { code_challenge: undefined, code_challenge_method: undefined };
    const answer = (settings: object) => validate(bare, application([uri], settings));
    expect(answer({ pkceOptional: true })).toMatchObject({
      redirectUri: uri,
      codeChallenge: undefined,
      scopes: ['profile'],
    });
    for (const settings of [{}, { pkceOptional: false }, { pkceOptional: true, public: true }])
      expect(answer(settings)).toMatchObject({ response: { error: 'invalid_request' } });
    const plain = { code_challenge_method: 'plain' };
    expect(validate(plain, application([uri], { pkceOptional: true }))).toHaveProperty('response');
    expect(
      [{}, { public: false }, { public: true }].map((settings) => isPublicClient(application([], settings))),
    ).toEqual([...[false, false, true]]);
  });

  test('has parameters of which empty ones are omitted', () => {
    const parsed = AuthorizationParameters.parse({
      client_id: 'app_1',
      state: '',
      scope: 'vault',
      other: 'x',
    });
    expect(presentParameters(parsed)).toEqual([
      ['client_id', 'app_1'],
      ['scope', 'vault'],
    ]);
  });
});

describe('a code challenge', () => {
  test('is the 43 characters of a SHA-256', () => {
    expect(isCodeChallenge(challenge)).toBe(true);
    for (const text of [
      '',
      challenge.slice(1),
      `${challenge}A`,
      `${challenge.slice(1)}=`,
      `${challenge}\n`,
      `+${challenge.slice(1)}`,
    ])
      expect(isCodeChallenge(text), text).toBe(false);
  });

  test('matches its verifier of 43 to 128 characters', () => {
    // RFC 7636, appendix B.
    const verifier = 'dBjftJeZ4CVP-mB92K27uhbUJU1p1r_wW1gFWFOEjXk';
    expect(matchesCodeChallenge(verifier, 'E9Melhoa2OwvFrEMTJguCHaoeK1t8URWbuGJSstw-cM')).toBe(true);
    expect(matchesCodeChallenge(verifier, challenge)).toBe(false);
    const own = (text: string) =>
      matchesCodeChallenge(text, createHash('sha256').update(text).digest('base64url'));
    expect(['-._~'.repeat(32), 'x'.repeat(43)].map(own)).toEqual([true, true]);
    for (const text of ['x'.repeat(42), 'x'.repeat(129), `${verifier}+`, `${verifier}\n`, ` ${verifier}`])
      expect(own(text), text).toBe(false);
  });
});
