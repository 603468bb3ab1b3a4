import { task } from '../shared/lambda/scheduled.ts';
import { clock, signingClock } from '../shared/runtime/clock.ts';
import { env } from '../shared/runtime/env.ts';
import { recordDisabledWebhook } from '../shared/runtime/log.ts';
import { randomFraction } from '../shared/runtime/random.ts';
import { type AttemptDeps, attemptBatch } from './deliveries/attempt-batch.ts';
import { startLaterAttempts } from './deliveries/executions.ts';
import { send, systemNetwork } from './deliveries/sender.ts';
import { deliveryStore } from './deliveries/store.ts';
import { webhookStore } from './endpoints/store.ts';
import { eventStore } from './events/store.ts';
import { timers } from './timers.ts';

const attemptDeps = (): AttemptDeps => ({
  webhooks: webhookStore,
  events: eventStore,
  deliveries: deliveryStore,
  send: (request) => send(request, systemNetwork(env.webhookLoopback())),
  startLaterAttempts,
  recordDisabled: recordDisabledWebhook,
  clock,
  signingClock,
  randomFraction,
});

export const handler = task(timers.attempt, attemptBatch, attemptDeps);
