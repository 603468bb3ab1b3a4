// biome-ignore-all lint/suspicious/noTemplateCurlyInString: the text of a source has placeholders.

import type { PlantedFault } from '../fault.ts';

const webhooks = 'test/handlers/functions/webhooks';

export const faultsOfWebhooks: readonly PlantedFault[] = [
  {
    name: 'a delivery is signed with the newest secret alone',
    file: 'functions/webhooks/deliveries/signature.ts',
    find: 'secrets.map((secret) =>',
    replace: 'secrets.slice(0, 1).map((secret) =>',
    caughtBy: {
      promise:
        'A delivery is signed with every secret that is valid at its attempt, and with no other. A replaced secret signs for 24 hours; at most two sign.',
    },
  },
  {
    name: 'a replaced secret signs for ever',
    file: 'functions/webhooks/endpoints/webhook.ts',
    find: 'const former = present && { ...present, expiresAtMs: added.createdAtMs + overlapMs };',
    replace: 'const former = present;',
    caughtBy: {
      promise:
        'A delivery is signed with every secret that is valid at its attempt, and with no other. A replaced secret signs for 24 hours; at most two sign.',
    },
  },
  {
    name: 'an application has eleven webhooks',
    file: 'functions/webhooks/endpoints/store.ts',
    find: "'attribute_not_exists(#ids) OR size(#ids) < :max'",
    replace: "'attribute_not_exists(#ids) OR size(#ids) <= :max'",
    caughtBy: { promise: 'Each kind of key of an application has at most ten webhooks.' },
  },
  {
    name: 'the kind of key of a webhook is not compared',
    file: 'functions/webhooks/endpoints/webhook.ts',
    find: "return by === 'operator' || by === keyKind;",
    replace: "return by === 'operator' || keyKind !== undefined;",
    caughtBy: { tests: [`${webhooks}/kinds-of-keys.test.ts`] },
  },
  {
    name: 'one kind of key gets the webhook of the other by its Idempotency-Key',
    file: 'functions/webhooks/endpoints/webhook.ts',
    find: "return by === 'client_secret' ? `${applicationId} ${by}` : applicationId;",
    replace: 'return by === undefined ? `${applicationId} ${by}` : applicationId;',
    caughtBy: { tests: [`${webhooks}/kinds-of-keys.test.ts`] },
  },
  {
    name: 'an event is delivered to webhooks of the other kind of key',
    file: 'functions/webhooks/deliveries/dispatch.ts',
    find: 'return isFor(keyKind, type, group) && (',
    replace: 'return (keyKind === keyKind || isFor(keyKind, type, group)) && (',
    caughtBy: { tests: [`${webhooks}/kinds-of-keys.test.ts`] },
  },
  {
    name: 'an event for one webhook goes to all',
    file: 'functions/webhooks/deliveries/dispatch.ts',
    find: 'if (audience?.webhookId !== undefined && !isMeant) return [];',
    replace: '',
    caughtBy: { tests: [`${webhooks}/deliveries/deliver.test.ts`] },
  },
  {
    name: 'an inactive webhook gets events',
    file: 'functions/webhooks/deliveries/dispatch.ts',
    find: 'webhooks.filter(({ isActive }) => isActive)',
    replace: 'webhooks.filter(({ isActive }) => isActive || true)',
    caughtBy: { tests: [`${webhooks}/deliveries/deliver.test.ts`] },
  },
  {
    name: 'events that are handed on are not listed',
    file: 'functions/webhooks/deliveries/dispatch.ts',
    find: '  await forEach(parts, ({ share, own }) => eventListStore.append(share.applicationId, own, nowMs));\n',
    replace: '',
    caughtBy: { tests: [`${webhooks}/deliveries/deliver.test.ts`] },
  },
  {
    name: 'a delivery that is created again begins anew',
    file: 'functions/webhooks/deliveries/store.ts',
    find: "await putItem(item, { ConditionExpression: notExists, guard: { once: 'pk' } });",
    replace: "await putItem(item, { guard: { once: 'pk' } });",
    caughtBy: { tests: [`${webhooks}/deliveries/deliver.test.ts`, `${webhooks}/deliveries/killed.test.ts`] },
  },
  {
    name: 'an attempt that ran twice is noted twice',
    file: 'functions/webhooks/deliveries/store.ts',
    find: '`#status = :pending AND made = :made AND ${inCharge}`',
    replace: '`#status = :pending AND made >= :made AND ${inCharge}`',
    caughtBy: { tests: [`${webhooks}/deliveries/store.test.ts`] },
  },
  {
    name: 'an execution that was replaced goes on',
    file: 'functions/webhooks/deliveries/store.ts',
    find: '`#status = :pending AND made = :made AND ${inCharge}`',
    replace: '`#status = :pending AND made = :made AND (${inCharge} OR attribute_exists(pk))`',
    caughtBy: { tests: [`${webhooks}/deliveries/store.test.ts`] },
  },
  {
    name: 'concurrent retries of one delivery each make an attempt',
    file: 'functions/webhooks/deliveries/store.ts',
    find: "'#status = :status AND made = :made AND retries = :retries'",
    replace: "'#status = :status AND made = :made'",
    caughtBy: { tests: [`${webhooks}/deliveries/store.test.ts`] },
  },
  {
    name: 'two consumers give one position to two events',
    file: 'functions/webhooks/events/list-store.ts',
    find: "ConditionExpression: 'size(#groups) = :count',",
    replace: "ConditionExpression: 'size(#groups) >= :count',",
    caughtBy: { promise: 'No reader of the list of events misses an event.' },
  },
  {
    name: 'an event that is listed already is listed again',
    file: 'functions/webhooks/events/list-store.ts',
    find: '.filter(({ listNumber }) => listNumber === undefined)',
    replace: '.slice()',
    caughtBy: { tests: [`${webhooks}/events/list-races.test.ts`, `${webhooks}/deliveries/killed.test.ts`] },
  },
  {
    name: 'a page of events begins with the one that the reader has',
    file: 'functions/webhooks/events/event-page.ts',
    find: 'number === this.#place.group ? this.#place.event + 1 : 0',
    replace: 'number === this.#place.group ? this.#place.event : 0',
    caughtBy: { tests: [`${webhooks}/events/event-endpoints.test.ts`] },
  },
  {
    name: 'a redirect counts as an answer',
    file: 'functions/webhooks/deliveries/sender.ts',
    find: "statusCode >= 300 && statusCode < 400 ? ('redirect' as const)",
    replace: "statusCode >= 400 && statusCode < 400 ? ('redirect' as const)",
    caughtBy: {
      promise:
        'A delivery follows no redirect, verifies the certificate for the name, reads at most 64 KB and decompresses nothing.',
    },
  },
  {
    name: 'the addresses of a name are not checked',
    file: 'functions/webhooks/deliveries/sender.ts',
    find: 'if (refused !== undefined) throw new Unsent(refused);',
    replace: '',
    caughtBy: {
      promise:
        'A delivery goes to a public address alone, in whatever notation, and whatever the name resolves to.',
    },
  },
  {
    name: 'the certificate of a receiver is not verified',
    file: 'functions/webhooks/deliveries/sender.ts',
    find: 'rejectUnauthorized: true,',
    replace: 'rejectUnauthorized: false,',
    caughtBy: { tests: [`${webhooks}/deliveries/sender.test.ts`] },
  },
  {
    name: 'a webhook that nobody changes for long is deleted',
    file: 'functions/webhooks/endpoints/store.ts',
    find: '...keys.webhook(applicationId, webhookId), ...webhook }',
    replace: '...keys.webhook(applicationId, webhookId), ...webhook, ttl: 4_102_444_800 }',
    caughtBy: { promise: 'Nothing that a user stored is deleted because nobody used it.' },
  },
  {
    name: 'an id that cannot exist is told from an unknown one',
    file: 'functions/webhooks/webhook-read.ts',
    find: "throw new ApiError('not_found');",
    replace: "throw new ApiError(id.startsWith('whk_') ? 'not_found' : 'invalid_request');",
    caughtBy: { promise: 'A record of another application or user is as absent as one that does not exist.' },
  },
  {
    name: 'the record of an Idempotency-Key has the secret',
    file: 'functions/webhooks/endpoints/store.ts',
    find: 'const response = { webhookId, secretId: secret.secretId };',
    replace: 'const response = { webhookId, ...secret };',
    caughtBy: { promise: 'A signing secret is in no log, and not in the record of an `Idempotency-Key`.' },
  },
  {
    name: 'a removed webhook of a client secret still counts against the limit',
    file: 'functions/webhooks/endpoints/store.ts',
    find: "'DELETE api_key :id, client_secret :id'",
    replace: "'DELETE api_key :id'",
    caughtBy: { tests: [`${webhooks}/endpoints/manage.test.ts`] },
  },
  {
    name: 'a change of the address does not end the failures of the former one',
    file: 'functions/webhooks/endpoints/store.ts',
    find: "isAnew ? [...set, 'failuresEndedMs = :updatedAtMs'] : set",
    replace: 'set',
    caughtBy: { tests: [`${webhooks}/endpoints/secrets.test.ts`] },
  },
  {
    name: 'a failure is noted although the failures of its time have ended',
    file: 'functions/webhooks/endpoints/failure-store.ts',
    find: 'attribute_not_exists(failingSinceMs) AND (attribute_not_exists(failuresEndedMs) OR failuresEndedMs < :now)',
    replace: 'attribute_not_exists(failingSinceMs)',
    caughtBy: { tests: [`${webhooks}/endpoints/secrets.test.ts`] },
  },
];
