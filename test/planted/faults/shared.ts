// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of a source has placeholders.

import type { PlantedFault } from '../fault.ts';

const handlers = 'test/handlers/functions';

export const faultsOfShared: readonly PlantedFault[] = [
  {
    name: 'a window lets one request more through than its limit',
    file: 'functions/shared/table/sliding-window.ts',
    find: 'const last = slot(max - 1);',
    replace: 'const last = slot(max);',
    caughtBy: {
      promise:
        'A limit is exact under concurrency, and counts the address that API Gateway saw, never a header.',
    },
  },
  {
    name: 'callers of one group share their limit',
    file: 'functions/shared/table/rate-limit.ts',
    find: 'const key = keys.rateLimit(limit.group, caller);',
    replace: "const key = keys.rateLimit(limit.group, '');",
    caughtBy: { tests: [`${handlers}/shared/table/limits.test.ts`] },
  },
  {
    name: 'the verdict of the rate limit is not awaited',
    file: 'functions/shared/lambda/endpoint.ts',
    find: 'await Promise.all([context.rateLimitPassed, context.beforeResponse]);',
    replace: 'await Promise.all([context.beforeResponse]);',
    caughtBy: { tests: [`${handlers}/routes.test.ts`, `${handlers}/shared/auth`] },
  },
  {
    name: 'a refusal of the rate limit does not take precedence over another error',
    file: 'functions/shared/lambda/endpoint.ts',
    find: '(refusal: unknown) => refusal,',
    replace: '() => request.error,',
    caughtBy: { tests: [`${handlers}/routes.test.ts`] },
  },
  {
    name: 'a response is not stripped of undeclared fields',
    file: 'functions/shared/lambda/endpoint.ts',
    find: 'return route.produces === undefined ? JSON.stringify(output)',
    replace: 'return route.produces === undefined ? JSON.stringify(response)',
    caughtBy: { promise: 'A field that the contract does not declare leaves no function.' },
  },
  {
    name: 'an Idempotency-Key used again with another body repeats the first response',
    file: 'functions/shared/table/idempotency.ts',
    find: "if (record.fingerprint !== request.fingerprint) throw new ApiError('idempotency_mismatch');",
    replace: '',
    caughtBy: { tests: [`${handlers}/shared/table/idempotency.test.ts`] },
  },
  {
    name: 'callers share their Idempotency-Keys',
    file: 'functions/shared/table/idempotency.ts',
    find: '        ...keys.idempotency(owner, key),',
    replace: "        ...keys.idempotency('', key),",
    caughtBy: { tests: [`${handlers}/shared/table/idempotency.test.ts`] },
  },
  {
    name: 'an Idempotency-Key is recorded outside of the transaction',
    file: 'functions/shared/table/idempotency.ts',
    find: 'if (await transactWrite([...writes, responseWrite(request, response, nowMs)])) return response;',
    replace:
      'if (await transactWrite(writes)) { await transactWrite([responseWrite(request, response, nowMs)]); return response; }',
    caughtBy: { tests: [`${handlers}/shared/table/idempotency.test.ts`] },
  },
  {
    name: 'one holder more than allowed takes a lease',
    file: 'functions/shared/table/lease.ts',
    find: 'OR size(#holders) < :max',
    replace: 'OR size(#holders) <= :max',
    caughtBy: { promise: 'An application has one bank statement read at a time.' },
  },
  {
    name: 'the lease of a holder that died never ends',
    file: 'functions/shared/table/lease.ts',
    find: 'held.filter((one) => endOf(one) <= nowMs)',
    replace: 'held.filter((one) => endOf(one) < 0)',
    caughtBy: { tests: [`${handlers}/shared/table/limits.test.ts`] },
  },
  {
    name: 'a secret is cached for a day',
    file: 'functions/shared/auth/secrets.ts',
    find: 'cache.set(hash, record, nowMs + cacheTtlMs)',
    replace: 'cache.set(hash, record, nowMs + 86_400_000)',
    caughtBy: { promise: 'A revoked secret stops working within 30 seconds everywhere.' },
  },
  {
    name: 'an expired secret is accepted',
    file: 'functions/shared/auth/secrets.ts',
    find: 'return record !== undefined && isUnexpired(record, nowMs) ? record : undefined;',
    replace: 'return record;',
    caughtBy: { promise: 'An expired key is refused to the millisecond.' },
  },
  {
    name: 'a client secret stands for a seller',
    file: 'functions/shared/auth/bearer.ts',
    find: "const record = await requireSecret(context, route, 'api_key', 'operator_key');",
    replace:
      "const record = await requireSecret(context, route, 'api_key', 'operator_key', 'client_secret');",
    caughtBy: {
      promise:
        'A client secret gives no access to payments and lists; an operator has to name the application.',
    },
  },
  {
    name: 'the scope of an operator key is not compared',
    file: 'functions/shared/auth/bearer.ts',
    find: '!allows(readOperatorKey(record).scopes, operatorScope)',
    replace: "!allows(['admin'], operatorScope)",
    caughtBy: { promise: 'An operator key does what its scopes allow, and nothing else.' },
  },
  {
    name: 'an application may name another one',
    file: 'functions/shared/auth/bearer.ts',
    find: 'if (named !== undefined && named !== applicationId)',
    replace: 'if (named === undefined && named !== undefined)',
    caughtBy: {
      promise: 'An operator names the application that they act for. An application cannot name another.',
    },
  },
  {
    name: 'a code has a sixth attempt',
    file: 'functions/shared/auth/codes/one-time-codes.ts',
    find: 'const maxAttempts = 5;',
    replace: 'const maxAttempts = 6;',
    caughtBy: { promise: 'A code is compared five times at most.' },
  },
  {
    name: 'other address blocks have all attempts at a code',
    file: 'functions/shared/auth/codes/one-time-codes.ts',
    find: 'const maxAttemptsOfOthers = 2;',
    replace: 'const maxAttemptsOfOthers = 5;',
    caughtBy: {
      promise:
        'Strangers void no code, and neither replace nor try that of a browser session, a device with its proof, or an enrolment link.',
    },
  },
  {
    name: 'two requests at once log one code of a mailbox',
    file: 'functions/shared/auth/codes/one-time-codes.ts',
    find: "ConditionExpression: 'revision = :revision',",
    replace: "ConditionExpression: 'revision >= :revision',",
    caughtBy: { tests: [`${handlers}/shared/auth/attacks-on-mailboxes.test.ts`] },
  },
  {
    name: 'a code can be used twice',
    file: 'functions/shared/auth/codes/one-time-code.ts',
    find: "'codeId = :codeId AND attribute_exists(codeHash) AND expiresAtMs > :now'",
    replace: "'codeId = :codeId AND expiresAtMs > :now'",
    caughtBy: { tests: [`${handlers}/shared/auth/codes/one-time-codes.test.ts`] },
  },
  {
    name: 'an address block has one try too many',
    file: 'functions/shared/auth/codes/code-tries.ts',
    find: "'attribute_not_exists(tries) OR size(tries) < :max'",
    replace: "'attribute_not_exists(tries) OR size(tries) <= :max'",
    caughtBy: { tests: [`${handlers}/shared/auth/attacks-on-codes.test.ts`] },
  },
  {
    name: 'right codes use up the tries of a block',
    file: 'functions/shared/auth/codes/one-time-code.ts',
    find: '    tryReturn(counted),\n',
    replace: '',
    caughtBy: { promise: 'An address block has 30 wrong codes in an hour, over all mailboxes.' },
  },
  {
    name: 'an address block that verified a mailbox counts as a stranger',
    file: 'functions/shared/auth/codes/mailbox-store.ts',
    find: 'isVerified: source !== undefined || isCurrent(block)',
    replace: 'isVerified: false',
    caughtBy: {
      promise:
        'Strangers send a mailbox at most 20 codes in any hour, plus tags included, and keep none from an address block that verified it.',
    },
  },
  {
    name: 'an enrolment link can be spent twice',
    file: 'functions/shared/auth/codes/enrolment-link-store.ts',
    find: "'attribute_exists(sentAtMs) AND attribute_not_exists(spentAtMs)'",
    replace: "'attribute_exists(sentAtMs)'",
    caughtBy: { promise: 'An enrolment link is spent once.' },
  },
  {
    name: 'a reset of the devices leaves enrolment links',
    file: 'functions/shared/auth/codes/enrolment-link-store.ts',
    find: '    link.sentAtMs >= revokedAtMs &&\n',
    replace: '',
    caughtBy: {
      promise:
        'A pass, a device and a link stop counting when an operator resets the devices, or the user signs out everywhere.',
    },
  },
  {
    name: 'an address in the text of an error is logged',
    file: 'functions/shared/runtime/log.ts',
    find: "replaceAll(/[^\\s<>\"'(),;:[\\]]+@[^\\s<>\"'(),;:[\\]]+/g, '<address>')",
    replace: 'trim()',
    caughtBy: { tests: [`${handlers}/malformed.test.ts`] },
  },
  {
    name: 'the text that a parser quotes is logged',
    file: 'functions/shared/runtime/log.ts',
    find: "if (error instanceof SyntaxError) return 'a text could not be parsed';",
    replace: '',
    caughtBy: { tests: [`${handlers}/malformed.test.ts`] },
  },
  {
    name: 'a cursor is not compared with its checksum',
    file: 'functions/shared/lambda/cursor.ts',
    find: 'if (checksum(scope, text) !== content.slice(0, checksumLength)) return undefined;',
    replace: '',
    caughtBy: { promise: 'A cursor leads to no other list and causes no error.' },
  },
  {
    name: 'the forms of the positions in a cursor are not checked',
    file: 'functions/shared/lambda/cursor.ts',
    find: 'if (text === undefined || !hasForm(text))',
    replace: 'if (text === undefined)',
    caughtBy: { promise: 'A cursor leads to no other list and causes no error.' },
  },
  {
    name: 'a stream consumer acknowledges records that failed',
    file: 'functions/shared/lambda/stream.ts',
    find: 'batchItemFailures: identifiers.map(',
    replace: 'batchItemFailures: identifiers.slice(1).map(',
    caughtBy: { tests: [`${handlers}/webhooks/deliveries/killed.test.ts`] },
  },
  {
    name: 'a write whose answer was lost does not recognize itself',
    file: 'functions/shared/table/newest-update.ts',
    find: 'isOwn: (stored: Item) => stored[idAttribute] === writeId,',
    replace: 'isOwn: () => false,',
    caughtBy: { tests: [`${handlers}/shared/table/newest-update.test.ts`] },
  },
];
