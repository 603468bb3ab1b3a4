import { applicationCaller } from '../shared/auth/bearer.ts';
import { ApiError } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { clock } from '../shared/runtime/clock.ts';
import { route } from './contracts/event-read.ts';
import { presentEvent } from './events/event.ts';
import { eventStore } from './events/store.ts';

export async function readEvent({
  params: { id },
  caller,
}: Input<typeof route>): Promise<Output<typeof route>> {
  const found = await eventStore.find(caller, id, clock.nowMs());
  if (found === undefined) throw new ApiError('not_found');
  return { event: presentEvent(found.group, found.position) };
}

export const handler = endpoint(route, readEvent, applicationCaller);
