import { targetUser } from '../../../../../functions/links/api/target-user.ts';

const applicationId = 'app_1';
const secret = { applicationId, by: 'secret' } as const;
const token = (...scopes: string[]) => ({ applicationId, by: 'token', userId: 'ann', scopes }) as const;

/** The user that header, query and body name, and the user that the request is for. */
const bySecret: [
  header: string | undefined,
  query: string | undefined,
  body: string | undefined,
  to: string,
][] = [
  ['ann', undefined, undefined, 'ann'],
  [undefined, 'ann', undefined, 'ann'],
  [undefined, undefined, 'ann', 'ann'],
  ['ann', 'ann', 'ann', 'ann'],
  [undefined, undefined, undefined, 'refused'],
  ['ann', 'bob', undefined, 'refused'],
  ['ann', undefined, 'bob', 'refused'],
  [undefined, 'ann', 'bob', 'refused'],
  ['ann', undefined, 'Ann', 'refused'],
  ['a\ud800', undefined, undefined, 'refused'],
];

const fieldsOf = (header?: string, query?: string, body?: string) => ({
  headers: { 'x-user-id': header },
  query: { userId: query },
  body: { userId: body },
});
const invalid = expect.objectContaining({
  code: 'invalid_request',
  details: { userId: expect.any(String) },
});

test.each(bySecret)('with the client secret header %j, query %j, body %j: %s', (header, query, body, to) => {
  const target = () => targetUser(secret, 'write', fieldsOf(header, query, body));
  if (to === 'refused') expect(target).toThrow(invalid);
  else
    expect(target()).toEqual({ applicationId, userId: to, by: { kind: 'application', id: applicationId } });
});

describe('with an access token', () => {
  const anyScope = token('profile', 'trust_links:write');

  test('the user is the one of the token, whether the request names one or not', () => {
    for (const named of [fieldsOf(), fieldsOf('ann'), fieldsOf('ann', 'ann', 'ann')])
      expect(targetUser(anyScope, 'write', named)).toEqual({
        applicationId,
        userId: 'ann',
        by: { kind: 'user', id: 'ann' },
      });
  });

  test.each([
    fieldsOf('bob'),
    fieldsOf(undefined, 'bob'),
    fieldsOf(undefined, undefined, 'bob'),
    fieldsOf('ann', 'bob'),
  ])('a request that names another user is refused %#', (named) => {
    expect(() => targetUser(anyScope, 'read', named)).toThrow(invalid);
  });

  test.each([
    ['read', [], 'profile'],
    ['read', ['vault'], 'profile'],
    ['read', ['profile'], undefined],
    ['read', ['trust_links:write'], undefined],
    ['write', [], 'trust_links:write'],
    ['write', ['profile', 'vault'], 'trust_links:write'],
    ['write', ['trust_links:write'], undefined],
  ] as const)('to %s with scopes %j misses %s', (need, scopes, missing) => {
    const target = () => targetUser(token(...scopes), need, fieldsOf());
    if (missing === undefined) expect(target().userId).toBe('ann');
    else
      expect(target).toThrow(
        expect.objectContaining({ code: 'insufficient_scope', details: { scope: missing } }),
      );
  });
});
