import type { PlantedFault } from '../fault.ts';

const api = 'lib/client/api';
const badLuck = { tests: ['test/system/lib/client/api/bad-luck.test.ts'] };
const lists = { tests: ['test/system/lib/client/api/lists.test.ts'] };
const webhook = { tests: ['test/pure/lib/client/webhook/verify-webhook.test.ts'] };

/** Faults of `vouchsafe-client/api` and `vouchsafe-client/webhook`. */
export const faultsOfApiClient: readonly PlantedFault[] = [
  {
    name: 'a repeat of a write has an Idempotency-Key of its own',
    file: `${api}/requester.ts`,
    find: 'const outcome = await attempt(request, limitMs',
    replace:
      "if (row.idempotent) request.headers = Object.assign({}, headers, { 'idempotency-key': crypto.randomUUID() });\n      const outcome = await attempt(request, limitMs",
    caughtBy: badLuck,
  },
  {
    name: 'every write is repeated',
    file: `${api}/requester.ts`,
    find: ': row.idempotent;',
    replace: ': true;',
    caughtBy: badLuck,
  },
  {
    name: 'the key is sent with operations that take none',
    file: `${api}/key-kinds.ts`,
    find: 'if (keys.length === 0) return false;',
    replace: 'if (keys.length === 0) return key !== undefined;',
    caughtBy: badLuck,
  },
  {
    name: 'a request that cannot be sent counts as one without an answer',
    file: `${api}/answer.ts`,
    find: "if (stage === 'prepared') {",
    replace: "if (stage === 'prepared' && cause === undefined) {",
    caughtBy: badLuck,
  },
  {
    name: 'a redirect is followed with the key',
    file: `${api}/requester.ts`,
    find: "redirect: 'manual'",
    replace: "redirect: 'follow'",
    caughtBy: badLuck,
  },
  {
    name: 'a list that returns to an earlier page ends as if it were complete',
    file: `${api}/pages.ts`,
    find: "throw new VouchsafeError('repeated_page', 'The list returned to an earlier page.');",
    replace: 'return;',
    caughtBy: lists,
  },
  {
    name: 'the page of a proxy is taken for CSV',
    file: `${api}/answer.ts`,
    find: 'if (!type.startsWith(accept)) return undefined;',
    replace: '',
    caughtBy: lists,
  },
  {
    name: 'a list as text ends with its first page',
    file: `${api}/answer.ts`,
    find: '.get(cursor) ?? undefined',
    replace: ".get('page') ?? undefined",
    caughtBy: lists,
  },
  {
    name: 'the repeats of a call have no limit of time',
    file: `${api}/requester.ts`,
    find: 'runtime.now() + waitMs >= end',
    replace: 'waitMs >= end',
    caughtBy: badLuck,
  },
  {
    name: 'a page may have the key of a server',
    file: `${api}/key-kinds.ts`,
    find: "'document' in globalThis && ",
    replace: "'navigation' in globalThis && ",
    caughtBy: badLuck,
  },
  {
    name: 'any signature verifies a delivery',
    file: 'lib/client/webhook/verify-webhook.ts',
    find: 'if (!isRight) {',
    replace: 'if (!isRight && signatures.length === 0) {',
    caughtBy: webhook,
  },
  {
    name: 'a delivery may be of any age',
    file: 'lib/client/webhook/verify-webhook.ts',
    find: 'if (!(Math.abs(now() / 1_000 - Number(timestamp)) <= toleranceSeconds)) {',
    replace: 'if (Number.isNaN(Number(timestamp) - toleranceSeconds)) {',
    caughtBy: webhook,
  },
];
