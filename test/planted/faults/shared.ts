import type { Area } from '../fault.ts';

export const shared: Area = {
  'A limit is exact under concurrency, and counts the address that API Gateway saw, never a header.': {
    'functions/shared/table/sliding-window.ts: a window lets one request more through than its limit': [
      'const last = slot(max - 1);',
      'const last = slot(max);',
    ],
  },
  'A field that the contract does not declare leaves no function.': {
    'functions/shared/lambda/endpoint.ts: a response is not stripped of undeclared fields': [
      'return route.produces === undefined ? JSON.stringify(output)',
      'return route.produces === undefined ? JSON.stringify(response)',
    ],
  },
  'An application has one bank statement read at a time.': {
    'functions/shared/table/lease.ts: one holder more than allowed takes a lease': [
      'OR size(#holders) < :max',
      'OR size(#holders) <= :max',
    ],
  },
  'A revoked secret stops working within 30 seconds everywhere.': {
    'functions/shared/auth/secrets.ts: a secret is cached for a day': [
      'cache.set(hash, record, nowMs + cacheTtlMs)',
      'cache.set(hash, record, nowMs + 86_400_000)',
    ],
  },
  'An expired key is refused to the millisecond.': {
    'functions/shared/auth/secrets.ts: an expired secret is accepted': [
      'return record !== undefined && isUnexpired(record, nowMs) ? record : undefined;',
      'return record;',
    ],
  },
  'A client secret gives no access to payments and lists; an operator has to name the application.': {
    'functions/shared/auth/bearer.ts: a client secret stands for a seller': [
      "const record = await requireSecret(context, route, 'api_key', 'operator_key');",
      "const record = await requireSecret(context, route, 'api_key', 'operator_key', 'client_secret');",
    ],
  },
  'An operator key does what its scopes allow, and nothing else.': {
    'functions/shared/auth/bearer.ts: the scope of an operator key is not compared': [
      '!allows(readOperatorKey(record).scopes, operatorScope)',
      "!allows(['admin'], operatorScope)",
    ],
  },
  'An operator names the application that they act for. An application cannot name another.': {
    'functions/shared/auth/bearer.ts: an application may name another one': [
      'if (named !== undefined && named !== applicationId)',
      'if (named === undefined && named !== undefined)',
    ],
  },
  'A code is compared five times at most.': {
    'functions/shared/auth/codes/one-time-codes.ts: a code has a sixth attempt': [
      'const maxAttempts = 5;',
      'const maxAttempts = 6;',
    ],
  },
  'Strangers void no code, and neither replace nor try that of a browser session, a device with its proof, or an enrolment link.':
    {
      'functions/shared/auth/codes/one-time-codes.ts: other address blocks have all attempts at a code': [
        'const maxAttemptsOfOthers = 2;',
        'const maxAttemptsOfOthers = 5;',
      ],
    },
  'An address block has 30 wrong codes in an hour, over all mailboxes.': {
    'functions/shared/auth/codes/one-time-code.ts: right codes use up the tries of a block': [
      '    tryReturn(counted),\n',
    ],
  },
  'Strangers send a mailbox at most 20 codes in any hour, plus tags included, and keep none from an address block that verified it.':
    {
      'functions/shared/auth/codes/mailbox-store.ts: an address block that verified a mailbox counts as a stranger':
        ['isVerified: source !== undefined || isCurrent(block)', 'isVerified: false'],
    },
  'An enrolment link is spent once.': {
    'functions/shared/auth/codes/enrolment-link-store.ts: an enrolment link can be spent twice': [
      "'attribute_exists(sentAtMs) AND attribute_not_exists(spentAtMs)'",
      "'attribute_exists(sentAtMs)'",
    ],
  },
  'A pass, a device and a link stop counting when an operator resets the devices, or the user signs out everywhere.':
    {
      'functions/shared/auth/codes/enrolment-link-store.ts: a reset of the devices leaves enrolment links': [
        '    link.sentAtMs >= revokedAtMs &&\n',
      ],
    },
  'A cursor leads to no other list and causes no error.': {
    'functions/shared/lambda/cursor.ts: the forms of the positions in a cursor are not checked': [
      'if (text === undefined || !hasForm(text))',
      'if (text === undefined)',
    ],
  },
  'A form that a page of another site submits does nothing.': {
    'functions/shared/lambda/endpoint.ts: a form of another site is accepted': [
      'if (route.ownPagesOnly && isForeignForm(event, baseUrl)) throw',
      'if (route.ownPagesOnly && !isForeignForm(event, baseUrl) && false) throw',
    ],
  },
  'A cursor of the list of events is bound to its application.': {
    'functions/shared/lambda/cursor.ts: the checksum of a cursor is not compared': [
      'if (checksum(scope, text) !== content.slice(0, checksumLength)) return undefined;',
    ],
  },
  'The account page and the consent page run no script, load nothing, cannot be framed, and bind each form to its browser.':
    {
      'functions/shared/html/page.ts: pages may be framed': ['"frame-ancestors \'none\'",'],
    },
  'Functions log nothing that a caller sent.': {
    'functions/shared/lambda/endpoint.ts: the log has the body of the request': [
      "  { requestId, startedAtMs }: RequestContext,\n  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,\n  cause?: unknown,\n): void {\n  const timing = { requestId,",
      "  { startedAtMs, event }: RequestContext,\n  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,\n  cause?: unknown,\n): void {\n  const timing = { requestId: JSON.stringify(event),",
    ],
  },
  'A repeated header is refused, where it would be ambiguous.': {
    'functions/shared/lambda/request-context.ts: the first of two headers is read': [
      "return isRepeated(event, name) ? '' : header(event, name);",
      'return header(event, name);',
    ],
  },
  'Ids cannot be guessed.': {
    'functions/shared/runtime/random.ts: an id has 64 random bits': [
      "randomBytes(16).toString('base64url');",
      "randomBytes(8).toString('base64url');",
    ],
  },
  'A link to a private or reserved host is refused in every notation.': {
    'functions/shared/fields/web-address.ts: a private IPv4 address counts as public': [
      "return address.range() === 'unicast';",
      "return address.range() !== '';",
    ],
  },
  "One user's tokens cannot use up the limit of their application.": {
    'functions/shared/auth/bearer.ts: the tokens of a user have the limit of their application': [
      'Math.floor(env.applicationRequestsPerSecond() / 10)',
      'Math.floor(env.applicationRequestsPerSecond())',
    ],
  },
  'A reset ends everything that it names, or nothing.': {
    'functions/shared/accounts/reset-store.ts: a reset keeps the security stamp': [
      "set: ended.devices ? 'securityStamp = :stamp' : '',",
      "set: ended.devices ? 'formerStamp = :stamp' : '',",
    ],
  },
  'Signing out everywhere ends every device, session and token, once, with an audit record.': {
    'functions/shared/accounts/reset-store.ts: signing out everywhere keeps the security stamp': [
      "values: ended.devices ? { ':stamp': securityStamp } : {},",
      "values: ended.devices ? { ':stamp': user.securityStamp } : {},",
    ],
  },
  'A session or a code of the consent page does not open it, nor the other way round.': {
    'functions/shared/sign-in/session-store.ts: a session of the consent page opens the account page': [
      'sessionStoreOf(keys.accountSession)',
      'sessionStoreOf(keys.consent)',
    ],
  },
  'The table alone opens nothing.': {
    'functions/shared/auth/deployment-key.ts: keyed hashes have a key that everybody knows': [
      "hkdfSync('sha256', await secret,",
      "hkdfSync('sha256', (await secret) && 'known',",
    ],
  },
  'Each change that an operator makes to users, applications and keys is recorded with key, person, time, address and reason, and the record is never removed.':
    {
      'functions/shared/accounts/reset-store.ts: an audit record does not say who acted': [
        "auditWrite(object, { ...authorship, action: 'user.reset', revision",
        "auditWrite(object, { ...authorship, keyId: '', action: 'user.reset', revision",
      ],
    },
};
