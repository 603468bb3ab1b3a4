import { applicationCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { eventReadRoute } from './contracts/deliveries.ts';
import { presentEvent } from './events/event.ts';
import { eventStore } from './events/store.ts';

export const readEvent: Handler<typeof eventReadRoute> = async ({ params: { id }, caller }) => {
  const { group, position } = found(await eventStore.find(caller, id, clock.nowMs()));
  return { event: presentEvent(group, position) };
};

export const handler = endpoint(eventReadRoute, readEvent, applicationCaller);
