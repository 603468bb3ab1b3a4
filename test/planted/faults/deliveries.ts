import type { PlantedFault } from '../fault.ts';

export const faultsOfDeliveries: readonly PlantedFault[] = [
  {
    name: 'a webhook of the other kind of key is found',
    file: 'functions/webhooks/endpoints/store.ts',
    find: 'webhook !== undefined && manages(caller, webhook) ? webhook : undefined',
    replace: "webhook !== undefined && caller.applicationId !== '' ? webhook : undefined",
    caughtBy: {
      promise:
        'A client secret sees, subscribes to and manages nothing of what the API key owns, and the other way round.',
    },
  },
  {
    name: 'events of another application are found',
    file: 'functions/webhooks/events/store.ts',
    find: 'group.applicationId !== applicationId || haveExpired',
    replace: 'haveExpired',
    caughtBy: { promise: 'A record of another application or user is as absent as one that does not exist.' },
  },
  {
    name: 'batches to failing endpoints take no lease',
    file: 'functions/webhooks/deliveries/attempt-batch.ts',
    find: 'if (endpoint.failingSinceMs === undefined || deliveries.length === 0)',
    replace: "if (endpoint.webhookId !== '')",
    caughtBy: {
      promise: 'Endpoints that hang hold at most 20 functions of an application, once they have failed.',
    },
  },
  {
    name: 'events leave the index of due work before their deliveries are stored',
    file: 'functions/webhooks/deliveries/dispatch.ts',
    find: '    await deliveryStore.create(delivery, nowMs);\n',
    replace: '',
    caughtBy: { promise: 'A process that dies at any step loses no event.' },
  },
  {
    name: 'an answer is read to its end',
    file: 'functions/webhooks/deliveries/sender.ts',
    find: 'if (bytes >= maxBodyBytes || signal.aborted) break;',
    replace: 'if (signal.aborted) break;',
    caughtBy: {
      promise:
        'A delivery follows no redirect, verifies the certificate for the name, reads at most 64 KB and decompresses nothing.',
    },
  },
  {
    name: 'a certificate is verified for the address',
    file: 'functions/webhooks/deliveries/sender.ts',
    find: 'hostname: hostnameOf(url),',
    replace: "hostname: addresses[0]?.address ?? '',",
    caughtBy: {
      promise:
        'A delivery follows no redirect, verifies the certificate for the name, reads at most 64 KB and decompresses nothing.',
    },
  },
];
