import { timers as devices } from './devices/timers.ts';
import { timers as notices } from './notices/timers.ts';
import { type Place, placesIn, type Timer, type Timers } from './shared/contract/route.ts';
import { timers as statements } from './statements/timers.ts';
import { timers as subscriptions } from './subscriptions/timers.ts';
import { timers as webhooks } from './webhooks/timers.ts';

/** The registry of timers. Deployment, local stack and tests are derived from it. */
const services = { devices, subscriptions, notices, statements, webhooks } as const satisfies Record<
  string,
  Timers
>;

/** A timer with its place in the registry. */
export interface RegisteredTimer extends Place {
  timer: Timer;
}

/** Every timer, with the service and the name it is registered under. */
export function registeredTimers(): RegisteredTimer[] {
  return placesIn<Timer>(services).map(({ entry, ...place }) => ({ ...place, timer: entry }));
}
