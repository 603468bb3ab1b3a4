import type { Area } from '../fault.ts';

export const oauth: Area = {
  'test/handlers/functions/oauth/tokens test/handlers/orders/promised.test.ts': {
    'functions/oauth/tokens/store.ts: a code is used twice': [
      'attribute_not_exists(usedAtMs) AND expiresAtMs > :now',
      'expiresAtMs > :now',
    ],
    'functions/oauth/tokens/authorization-code-grant.ts: a code of another application is exchanged': [
      'if (record?.applicationId !== application.applicationId) throw',
      'if (record === undefined) throw',
    ],
    'functions/oauth/tokens/authorization-code-grant.ts: the code verifier is not compared': [
      'return isVerified && isSameUri;',
      'return isSameUri;',
    ],
    'functions/oauth/tokens/authorization-code-grant.ts: a code verifier passes where there was no challenge':
      ['? code_verifier === undefined\n', '? true\n'],
    'functions/oauth/tokens/authorization-code-grant.ts: the redirect URI is not compared': [
      'return isVerified && isSameUri;',
      'return isVerified;',
    ],
    'functions/oauth/tokens/authorization-code-grant.ts: a code of a suspended user is exchanged': [
      'if (!isTokenValidFor(record, await getUser(record.userId)))',
      'if (!record)',
    ],
    'functions/oauth/tokens/refresh-token-grant.ts: a refresh token of another application is refreshed': [
      'applicationId !== application.applicationId ||\n',
    ],
    'functions/oauth/tokens/store.ts: two rotations of a refresh token are both written': [
      '...ifUnchanged(family) } },',
      '} },',
    ],
  },
  'A code that is used twice yields no valid token.': {
    'functions/oauth/tokens/authorization-code-grant.ts: a code that is used again leaves its tokens': [
      "await tokenStore.revokeFamily(\n    { familyId: record.familyId, userId: record.userId },\n    'reuse_detection',\n    nowMs,\n  );",
    ],
  },
  'A refresh token that is replayed ends its family.': {
    'functions/oauth/tokens/token-family.ts: a replayed refresh token leaves its family': [
      "return isRetry ? 'retried' : 'replayed';",
      "return isRetry ? 'retried' : 'revoked';",
    ],
  },
  'test/handlers/functions/oauth': {
    'functions/oauth/tokens/refresh-token-grant.ts: a refresh token of a suspended user is refreshed': [
      'family !== undefined && isTokenValidFor(family, user) &&',
      'family !== undefined && user !== undefined &&',
    ],
  },
  'test/handlers/functions/oauth/access-ends.test.ts': {
    'functions/oauth/revoke.ts: the application of a token is not compared when it is revoked': [
      'if (access?.applicationId === applicationId)',
      'if (access)',
    ],
  },
  'test/handlers/functions/oauth/consent-events.test.ts': {
    'functions/oauth/tokens/store.ts: the first tokens of a grant are stored without the grant': [
      '...beginWrites(family, nowMs),',
    ],
  },
  'A new security stamp ends session, codes and refresh tokens.': {
    'functions/oauth/consent/authenticated-user.ts: a session of a former stamp allows a request': [
      'return isTokenValidFor(session, user) ? eligibleUser(user, session.email) : undefined;',
      'return eligibleUser(user, session.email);',
    ],
  },
  'test/handlers/functions/oauth/consent': {
    'functions/oauth/consent/decision.ts: a code that was used is sent again by its form': [
      'existing !== undefined && existing.usedAtMs === undefined && isUnexpired(existing, nowMs)',
      'existing !== undefined && isUnexpired(existing, nowMs)',
    ],
    'functions/oauth/consent/sign-in.ts: a switch of the account leaves the session': [
      'await consentSessions.end(sessionToken);',
    ],
  },
  "A suspended user's access token reads, submits and removes no link.": {
    'functions/shared/auth/grants/token-ends.ts: a token is valid for a suspended user': [
      "return user?.status === 'active' && hasCurrentStamp(user, token);",
      'return hasCurrentStamp(user, token);',
    ],
  },
  'The last key of an application that is revoked ends its codes and tokens.': {
    'functions/shared/auth/grants/token-ends.ts: a token outlives the last key of its application': [
      'return tokensEndedAtMs(application) < createdAtMs;',
      'return application !== undefined && createdAtMs > 0;',
    ],
  },
  'A secret of one kind is not accepted as another.': {
    'functions/oauth/tokens/store.ts: an access token is taken for a refresh token': [
      "findRefreshToken: (token: string) => readSecret('refresh_token', token),",
      "findRefreshToken: async (token: string) => (await readSecret('refresh_token', token)) ?? (await readSecret('access_token', token)),",
    ],
  },
  'A secret cannot be read from the table.': {
    'functions/oauth/tokens/store.ts: a token is stored beside its hash': [
      '...keys.secret(kind, secretHash(secret)), ...record,',
      '...keys.secret(kind, secretHash(secret)), secret, ...record,',
    ],
  },
  'A withdrawn grant yields no token, also in a race.': {
    'functions/oauth/tokens/store.ts: a rotation is written over a revocation': [
      '...ifUnchanged(family) } },',
      '} },',
    ],
  },
  'A consent that is granted while the access of its user is reset ends with it, or never begins.': {
    'functions/shared/auth/grants/grant-end-store.ts: a grant begins under a security stamp that has ended': [
      "'attribute_not_exists(endedStamps) OR NOT contains(endedStamps, :stamp)'",
      "'attribute_not_exists(endedStamps) OR NOT contains(endedStamps, :stamp) OR attribute_exists(pk)'",
    ],
  },
  'An event of a link or a consent goes to its application alone, and says nothing of the reviewer.': {
    'functions/shared/auth/grants/consent-events.ts: the event of a consent goes to its user in place of its application':
      [
        'const { applicationId, createdAtMs: nowMs } = grant;',
        'const { userId: applicationId, createdAtMs: nowMs } = grant;',
      ],
  },
  'test/handlers/functions/oauth/token.test.ts': {
    'functions/oauth/tokens/client-authentication.ts: a public client whose keys were all revoked is accepted':
      [
        'if (application === undefined || Object.keys(application.keys).length === 0) {',
        'if (application === undefined) {',
      ],
  },
};
