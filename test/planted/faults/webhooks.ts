import type { Area } from '../fault.ts';

export const webhooks: Area = {
  'A delivery is signed with every secret that is valid at its attempt, and with no other. A replaced secret signs for 24 hours; at most two sign.':
    {
      'functions/webhooks/deliveries/signature.ts: a delivery is signed with the newest secret alone': [
        'secrets.map((secret) =>',
        'secrets.slice(0, 1).map((secret) =>',
      ],
      'functions/webhooks/endpoints/webhook.ts: a replaced secret signs for ever': [
        'const former = present && { ...present, expiresAtMs: added.createdAtMs + overlapMs };',
        'const former = present;',
      ],
    },
  'Each kind of key of an application has at most ten webhooks.': {
    'functions/webhooks/endpoints/store.ts: an application has eleven webhooks': [
      "'attribute_not_exists(#ids) OR size(#ids) < :max'",
      "'attribute_not_exists(#ids) OR size(#ids) <= :max'",
    ],
  },
  'No reader of the list of events misses an event.': {
    'functions/webhooks/events/list-store.ts: two consumers give one position to two events': [
      "ConditionExpression: 'size(#groups) = :count',",
      "ConditionExpression: 'size(#groups) >= :count',",
    ],
  },
  'A delivery follows no redirect, verifies the certificate for the name, reads at most 64 KB and decompresses nothing.':
    {
      'functions/webhooks/deliveries/sender.ts: a redirect counts as an answer': [
        "statusCode >= 300 && statusCode < 400 ? ('redirect' as const)",
        "statusCode >= 400 && statusCode < 400 ? ('redirect' as const)",
      ],
      'functions/webhooks/deliveries/sender.ts: an answer is read to its end': [
        'if (bytes >= maxBodyBytes || signal.aborted) break;',
        'if (signal.aborted) break;',
      ],
      'functions/webhooks/deliveries/sender.ts: a certificate is verified for the address': [
        'hostname: hostnameOf(url),',
        "hostname: addresses[0]?.address ?? '',",
      ],
    },
  'A delivery goes to a public address alone, in whatever notation, and whatever the name resolves to.': {
    'functions/webhooks/deliveries/sender.ts: the addresses of a name are not checked': [
      'if (refused !== undefined) throw new Unsent(refused);',
    ],
  },
  'Nothing that a user stored is deleted because nobody used it.': {
    'functions/webhooks/endpoints/store.ts: a webhook that nobody changes for long is deleted': [
      '...keys.webhook(applicationId, webhookId), ...webhook }',
      '...keys.webhook(applicationId, webhookId), ...webhook, ttl: 4_102_444_800 }',
    ],
  },
  'A signing secret is in no log, and not in the record of an `Idempotency-Key`.': {
    'functions/webhooks/endpoints/store.ts: the record of an Idempotency-Key has the secret': [
      'const response = { webhookId, secretId: secret.secretId };',
      'const response = { webhookId, ...secret };',
    ],
  },
  'A client secret sees, subscribes to and manages nothing of what the API key owns, and the other way round.':
    {
      'functions/webhooks/endpoints/store.ts: a webhook of the other kind of key is found': [
        'webhook !== undefined && manages(caller, webhook) ? webhook : undefined',
        "webhook !== undefined && caller.applicationId !== '' ? webhook : undefined",
      ],
    },
  'A record of another application or user is as absent as one that does not exist.': {
    'functions/webhooks/events/store.ts: events of another application are found': [
      'group.applicationId !== applicationId || haveExpired',
      'haveExpired',
    ],
  },
  'Endpoints that hang hold at most 20 functions of an application, once they have failed.': {
    'functions/webhooks/deliveries/attempt-batch.ts: batches to failing endpoints take no lease': [
      'if (endpoint.failingSinceMs === undefined || deliveries.length === 0)',
      "if (endpoint.webhookId !== '')",
    ],
  },
  'A process that dies at any step loses no event.': {
    'functions/webhooks/deliveries/dispatch.ts: events leave the index of due work before their deliveries are stored':
      ['    await deliveryStore.create(delivery, nowMs);\n'],
  },
};
