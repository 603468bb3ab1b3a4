import { registeredTimers } from '../../functions/timers.ts';
import { handlerOf, proxyEvent, read, registered } from '../support/call.ts';
import type { Case } from './cases.ts';

/** A case made ready: each call asks for the same, and fails unless the answer is the one that is due. */
export async function prepared({ id, what, ready, status }: Case): Promise<() => Promise<string>> {
  const timer = registeredTimers().find((entry) => entry.id === id);
  const request = await ready();
  if (timer !== undefined) {
    const { handler } = await import(`../../functions/${timer.service}/${timer.name}.ts`);
    return async () => String(await handler());
  }
  const entry = registered(id);
  const handler = await handlerOf(entry);
  return async () => {
    const answer = await handler(proxyEvent(entry, request));
    if (answer.statusCode !== status) throw new Error(`${id} (${what}) answered ${read(answer).text}`);
    return answer.body;
  };
}
