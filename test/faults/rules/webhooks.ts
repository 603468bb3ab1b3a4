import type { DynamoDBStreamEvent } from 'aws-lambda';
import { minuteMs, secondMs } from '../../../functions/shared/runtime/clock.ts';
import type { BatchInput } from '../../../functions/webhooks/deliveries/executions.ts';
import { deliveryStore } from '../../../functions/webhooks/deliveries/store.ts';
import { eventStore } from '../../../functions/webhooks/events/store.ts';
import { type Call, call } from '../../support/call.ts';
import type { Answer, Rules } from '../scenario.ts';
import { same, succeeded } from './succeeded.ts';

const idOf = ({ params = {} }: Call, { body }: Answer): string => params.id ?? body.webhook._id;
const authorized = ({ headers = {} }: Call) => {
  const { authorization = '' } = headers;
  return { authorization };
};

/** Sends a newer change of the webhook. */
const disabled = (request: Call, answer: Answer) =>
  succeeded(
    call('webhooks.webhook-update', {
      headers: authorized(request),
      params: { id: idOf(request, answer) },
      body: { active: false, description: 'A newer description' },
    }),
  );

/** The webhook in the answer is the one that is read. */
async function isRead(request: Call, answer: Answer): Promise<void> {
  const params = { id: idOf(request, answer) };
  const { body } = await succeeded(call('webhooks.webhook-read', { headers: authorized(request), params }));
  same('url', body.webhook.url, answer.body.webhook.url);
  same('types', body.webhook.types, answer.body.webhook.types);
}

/** The delivery is listed as the answer shows it. */
async function isRetried(request: Call, { body }: Answer): Promise<void> {
  const params = { id: body.delivery.webhookId };
  const listed = await succeeded(call('webhooks.delivery-list', { headers: authorized(request), params }));
  same('the status', listed.body.deliveries[0].status, 'pending');
  same('the attempts', listed.body.deliveries[0].attempts.length, body.delivery.attempts.length);
}

/** While an attempt is due, a repeat starts no other. */
const retriedAgain = (request: Call) =>
  succeeded(call('webhooks.delivery-retry', { headers: authorized(request), params: request.params ?? {} }));

/** Every group of events that the stream told of is listed, and no longer due. */
async function isListed({ body }: Call): Promise<void> {
  const { Records } = body as DynamoDBStreamEvent;
  const ids = Records.map(({ dynamodb }) => dynamodb?.Keys?.pk?.S?.split('#').at(-1) ?? '');
  const groups = await eventStore.get(ids);
  same('the number of groups', groups.length, ids.length);
  for (const { listNumber } of groups) same('the place in the list', listNumber, 1);
}

/** The attempt was noted once, and the next one is due. */
async function isNoted({ body }: Call): Promise<void> {
  const { webhookId, eventIds } = body as BatchInput;
  for (const { attempts, made, status } of await deliveryStore.getAll(webhookId, eventIds)) {
    same('the status', status, 'pending');
    same('the attempts', [made, attempts.length], [1, 1]);
  }
}

/** Makes the attempt of a batch again. A delivery of which an attempt was noted is left alone. */
async function attemptedAgain({ body }: Call): Promise<void> {
  const { handler } = await import('../../../functions/webhooks/attempt.ts');
  await handler(body as BatchInput);
}

/** Hands the same records over again. */
async function handedOverAgain({ body }: Call): Promise<void> {
  const { handler } = await import('../../../functions/webhooks/fan-out.ts');
  const { batchItemFailures } = await handler(body as DynamoDBStreamEvent);
  same('the failures', batchItemFailures, []);
}

/** The time between two runs, which is longer than a sweep gives the executions that it starts. */
const sweepMs = 30 * minuteMs;

export const webhookRules: Readonly<Record<string, Rules>> = {
  'webhooks.webhook-create': {
    repeatMakesAnother: true,
    verify: isRead,
    change: disabled,
    // A creation that failed and is applied late adds its webhook, and the id of it.
    mayDiffer: ['WEBHOOK/IDS'],
  },
  'webhooks.webhook-update': { repeatMakesAnother: true, verify: isRead, change: disabled },
  'webhooks.webhook-remove': { repeated: [404] },
  'webhooks.webhook-rotate': {
    repeatMakesAnother: true,
    change: (request) =>
      succeeded(
        call('webhooks.webhook-rotate', { headers: authorized(request), params: request.params ?? {} }),
      ),
  },
  'webhooks.webhook-test': { repeatMakesAnother: true, change: disabled },
  'webhooks.delivery-retry': { verify: isRetried, change: retriedAgain },
  'webhooks.fan-out': { verify: isListed, change: handedOverAgain },
  // Before the next attempt is due.
  'webhooks.attempt': { verify: isNoted, change: attemptedAgain, retryDelayMs: secondMs },
  'webhooks.sweep-deliveries': { runsAgain: true, retryDelayMs: sweepMs },
};
