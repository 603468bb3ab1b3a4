import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError, endpoint, type Handler } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { eventReadRoute } from './contracts/deliveries.ts';
import { presentEvent } from './events/event.ts';
import { eventStore } from './events/store.ts';

export const readEvent: Handler<typeof eventReadRoute> = async ({ params: { id }, caller }) => {
  const found = await eventStore.find(caller, id, clock.nowMs());
  if (found === undefined) throw new ApiError('not_found');
  return { event: presentEvent(found.group, found.position) };
};

export const handler = endpoint(eventReadRoute, readEvent, applicationCaller);
