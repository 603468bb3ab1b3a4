import type { PlantedFault } from '../fault.ts';

export const faultsOfRequests: readonly PlantedFault[] = [
  {
    name: 'a form of another site is accepted',
    file: 'functions/shared/lambda/endpoint.ts',
    find: 'if (route.ownPagesOnly && isForeignForm(event, baseUrl)) throw',
    replace: 'if (route.ownPagesOnly && !isForeignForm(event, baseUrl) && false) throw',
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
    caughtBy: {
      promise:
        'A limit is exact under concurrency, and counts the address that API Gateway saw, never a header.',
    },
  },
  {
    name: 'pages may be framed',
    file: 'functions/shared/html/page.ts',
    find: '"frame-ancestors \'none\'",',
    replace: '',
    caughtBy: {
      promise:
        'The account page and the consent page run no script, load nothing, cannot be framed, and bind each form to its browser.',
    },
  },
  {
    name: 'a sign-in page may be framed',
    file: 'functions/shared/html/page.ts',
    find: "'x-frame-options': 'DENY',",
    replace: '',
    caughtBy: {
      promise:
        'The account page and the consent page run no script, load nothing, cannot be framed, and bind each form to its browser.',
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
    name: 'a private IPv4 address counts as public',
    file: 'functions/shared/fields/web-address.ts',
    find: "return address.range() === 'unicast';",
    replace: "return address.range() !== '';",
    caughtBy: { promise: 'A link to a private or reserved host is refused in every notation.' },
  },
  {
    name: 'a field of a contract is read by no code',
    file: 'functions/users/contracts/upsert.ts',
    find: 'name: lineField(200).check(notBlank),',
    replace: 'name: lineField(200).check(notBlank), note: z.optional(lineField(200)),',
    caughtBy: { tests: ['test/pure/functions/unread-fields.test.ts'] },
  },
  {
    name: 'a field of the elements of a list is read by no code',
    file: 'functions/statements/contracts/confirm.ts',
    find: 'entryId,\n    ...decisionFields,',
    replace: 'entryId,\n    note: z.optional(z.string()),\n    ...decisionFields,',
    caughtBy: { tests: ['test/pure/functions/unread-fields.test.ts'] },
  },
];
