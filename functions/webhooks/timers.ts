import { defineTimers } from '../shared/contract/route.ts';

export const timers = defineTimers({
  'fan-out': {
    summary: 'Lists new events, and starts their deliveries to webhooks.',
    stream: { partitions: 'EVENT', sortKeyPrefix: 'EVENTS' },
    grants: {
      table: {
        EVENT: ['BatchGetItem', 'UpdateItem'],
        EVENTLIST: ['Query', 'PutItem', 'UpdateItem'],
        WEBHOOK: ['Query'],
        DELIVERY: ['PutItem'],
      },
      uses: ['webhookDelivery'],
    },
  },
  attempt: {
    summary: 'Sends a batch of events to one webhook, and notes what came of it.',
    // 15 seconds for the endpoint, and the calls to the table before and after it.
    timeoutSeconds: 90,
    grants: {
      table: {
        DELIVERY: ['BatchGetItem', 'UpdateItem'],
        EVENT: ['BatchGetItem', 'PutItem'],
        RATE: ['UpdateItem'],
        WEBHOOK: ['GetItem', 'UpdateItem'],
        WEBHOOKSECRET: ['GetItem'],
      },
      uses: ['webhookRetries'],
    },
  },
  'sweep-deliveries': {
    summary: 'Dispatches events and continues deliveries that are overdue.',
    everyMinutes: 30,
    grants: {
      table: {
        EVENT: ['BatchGetItem', 'UpdateItem'],
        EVENTLIST: ['Query', 'PutItem', 'UpdateItem'],
        WEBHOOK: ['Query'],
        DELIVERY: ['PutItem', 'UpdateItem'],
      },
      indexes: { due: ['EVENT', 'DELIVERY'] },
      uses: ['webhookDelivery', 'webhookRetries'],
    },
  },
});
