import type { PlantedFault } from '../fault.ts';

export const faultsOfRequests: readonly PlantedFault[] = [
  {
    name: 'a form of another site is accepted',
    file: 'functions/shared/lambda/endpoint.ts',
    find: 'if (route.ownPagesOnly && isForeignForm(event)) throw',
    replace: 'if (route.ownPagesOnly && !isForeignForm(event) && false) throw',
    caughtBy: { promise: 'A form that a page of another site submits does nothing.' },
  },
  {
    name: 'the checksum of a cursor is not compared',
    file: 'functions/shared/lambda/cursor.ts',
    find: 'if (checksum(scope, text) !== content.slice(0, checksumLength)) return undefined;',
    replace: '',
    caughtBy: { promise: 'A cursor of the list of events is bound to its application.' },
  },
  {
    name: 'an IPv6 address counts by a shorter prefix',
    file: 'functions/shared/lambda/client-key.ts',
    find: 'groups.slice(0, bits / 16)',
    replace: 'groups.slice(0, bits / 16 - 1)',
    caughtBy: { promise: 'Limits count the address that API Gateway saw, never a header.' },
  },
  {
    name: 'pages may be framed',
    file: 'functions/shared/html/page.ts',
    find: '"frame-ancestors \'none\'",',
    replace: '',
    caughtBy: { promise: 'The account page runs no script, loads nothing and cannot be framed.' },
  },
  {
    name: 'a sign-in page may be framed',
    file: 'functions/shared/html/page.ts',
    find: "'x-frame-options': 'DENY',",
    replace: '',
    caughtBy: {
      promise: 'The consent page runs no script, cannot be framed, and binds each form to its browser.',
    },
  },
  {
    name: 'the log has the body of the request',
    file: 'functions/shared/lambda/endpoint.ts',
    find: "  { requestId, startedAtMs }: RequestContext,\n  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,\n  cause?: unknown,\n): void {\n  const timing = { requestId,",
    replace:
      "  { startedAtMs, event }: RequestContext,\n  outcome: Pick<RequestRecord, 'status' | 'code' | 'auditId'>,\n  cause?: unknown,\n): void {\n  const timing = { requestId: JSON.stringify(event),",
    caughtBy: { promise: 'Functions log nothing that a caller sent.' },
  },
  {
    name: 'the first of two headers is read',
    file: 'functions/shared/lambda/request-context.ts',
    find: "return isRepeated(event, name) ? '' : header(event, name);",
    replace: 'return header(event, name);',
    caughtBy: { promise: 'A repeated header is refused, where it would be ambiguous.' },
  },
  {
    name: 'an id has 64 random bits',
    file: 'functions/shared/runtime/random.ts',
    find: "return randomBytes(16).toString('base64url');",
    replace: "return randomBytes(8).toString('base64url');",
    caughtBy: { promise: 'Ids cannot be guessed.' },
  },
  {
    name: 'a share that has expired is read',
    file: 'functions/shares/store.ts',
    find: 'head === undefined || nowMs >= head.expiresAtMs || head.claim',
    replace: 'head === undefined || head.claim',
    caughtBy: { promise: 'Absent, expired and opened shares are indistinguishable.' },
  },
  {
    name: 'a creation replaces what is stored',
    file: 'functions/shares/apart-store.ts',
    find: '({ Put: { Item: item, ...ifAbsent } })',
    replace: '({ Put: { Item: item } })',
    caughtBy: { promise: 'A creation that arrives again after a burn brings nothing back.' },
  },
  {
    name: 'a wrong proof is not counted',
    file: 'functions/shared/auth/proven-caller.ts',
    find: 'for (const [limit, key] of counts) refuseLocked([await consume(limit, key, nowMs)]);',
    replace: '',
    caughtBy: {
      promise:
        'Wrong proofs are bounded: ten in 15 minutes from an address, a hundred in an hour from strangers.',
    },
  },
  {
    name: 'a private IPv4 address counts as public',
    file: 'functions/shared/fields/web-address.ts',
    find: "return address.range() === 'unicast';",
    replace: "return address.range() !== '';",
    caughtBy: { promise: 'A link to a private or reserved host is refused in every notation.' },
  },
  {
    name: 'a signature of any age is believed',
    file: 'functions/subscriptions/stripe/signature.ts',
    find: '<= toleranceSeconds;',
    replace: '<= Number.POSITIVE_INFINITY;',
    caughtBy: { promise: "Stripe's reports are believed with a signature of at most five minutes." },
  },
  {
    name: 'a text of an export begins a formula',
    file: 'functions/subscriptions/lists/csv.ts',
    find: '.replaceAll(formulaStarts, "\'");',
    replace: ';',
    caughtBy: {
      promise:
        'What strangers type into names and references runs in no spreadsheet, and hides nothing there.',
    },
  },
  {
    name: 'a document type is read',
    file: 'functions/finance/statements/bounds.ts',
    find: "if (starts('<!')) throw new UnreadableFile('must have no document type declaration');",
    replace: "if (starts('<!')) return rest.indexOf('>') + 1;",
    caughtBy: { promise: 'A bank statement expands no entity and reads no other file.' },
  },
  {
    name: 'the application of a reference number is not compared',
    file: 'functions/finance/statements/match-store.ts',
    find: '(owners as unknown as Owner[]).filter((owner) => owner.applicationId === applicationId);\n    const items = await batchGet(\n      own.map(({ externalId, subscriptionId }) =>\n',
    replace:
      'owners as unknown as Owner[];\n    const items = await batchGet(\n      own.map(({ applicationId, externalId, subscriptionId }) =>\n',
    caughtBy: {
      promise: 'Statements of another application, and its subscriptions and payments, are unknown.',
    },
  },
  {
    name: 'the cells of a file are not counted',
    file: 'functions/finance/statements/bounds.ts',
    find: 'code === 0x09) cells += 1;',
    replace: 'code === 0x09) cells = 1;',
    caughtBy: { promise: 'A bank statement of some KB cannot exhaust a function.' },
  },
  {
    name: 'an entry has another id in each file',
    file: 'functions/finance/statements/source-id.ts',
    find: "return hashOf(['id', bankId, ...described]);",
    replace: "return hashOf(['id', bankId, Math.random(), ...described]);",
    caughtBy: { promise: 'A transfer is one payment, in any number of files that are imported at once.' },
  },
  {
    name: 'a control character of a file is stored',
    file: 'functions/finance/statements/match.ts',
    find: '[\\p{Cc}\\p{Zl}\\p{Zp}\\u202A-\\u202E\\u2066-\\u2069\\s]+',
    replace: '[\\p{Zl}\\p{Zp}\\s]+',
    caughtBy: { promise: 'Control characters and direction overrides of a bank statement are not stored.' },
  },
  {
    name: 'the user of a link is not part of its key',
    file: 'functions/links/trust-links/store.ts',
    find: 'keys.link(applicationId, userId, linkId);',
    replace: "keys.link(userId === '' ? '' : applicationId, 'anybody', linkId);",
    caughtBy: { promise: 'A link of another application or user is as absent as a missing one.' },
  },
];
