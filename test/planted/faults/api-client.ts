import type { Area } from '../fault.ts';

export const apiClient: Area = {
  'test/system/lib/client/api/bad-luck.test.ts': {
    'lib/client/api/requester.ts: a repeat of a write has an Idempotency-Key of its own': [
      'const outcome = await attempt(request, limitMs',
      "if (row.idempotent) request.headers = Object.assign({}, headers, { 'idempotency-key': crypto.randomUUID() });\n      const outcome = await attempt(request, limitMs",
    ],
    'lib/client/api/key-kinds.ts: the key is sent with operations that take none': [
      'if (keys.length === 0) return false;',
      'if (keys.length === 0) return key !== undefined;',
    ],
    'lib/client/api/answer.ts: a request that cannot be sent counts as one without an answer': [
      "if (stage === 'prepared') {",
      "if (stage === 'prepared' && cause === undefined) {",
    ],
  },
  'test/system/lib/client/api/lists.test.ts': {
    'lib/client/api/pages.ts: a list that returns to an earlier page ends as if it were complete': [
      "throw new VouchsafeError('repeated_page', 'The list returned to an earlier page.');",
      'return;',
    ],
    'lib/client/api/answer.ts: the page of a proxy is taken for CSV': [
      'if (!type.startsWith(accept)) return undefined;',
    ],
  },
  'test/pure/lib/client/webhook/verify-webhook.test.ts': {
    'lib/client/webhook/verify-webhook.ts: any signature verifies a delivery': [
      'if (!isRight) {',
      'if (!isRight && signatures.length === 0) {',
    ],
  },
};
