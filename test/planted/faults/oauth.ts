import type { Area } from '../fault.ts';

export const oauth: Area = {
  'A code that is used twice yields no valid token.': {
    'functions/oauth/token.ts: a code that is used again leaves its tokens': [
      "await tokenStore.revokeFamily(\n    { familyId: record.familyId, userId: record.userId },\n    'reuse_detection',\n    nowMs,\n  );",
    ],
  },
  'A refresh token that is replayed ends its family.': {
    'functions/oauth/tokens/token-family.ts: a replayed refresh token leaves its family': [
      "return isRetry ? 'retried' : 'replayed';",
      "return isRetry ? 'retried' : 'revoked';",
    ],
  },
  'A new security stamp ends session, codes and refresh tokens.': {
    'functions/oauth/consent/authenticated-user.ts: a session of a former stamp allows a request': [
      'return isTokenValidFor(session, user) ? eligibleUser(user, session.email) : undefined;',
      'return eligibleUser(user, session.email);',
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
};
