import { dynamodb } from '../../../functions/shared/table/client.ts';

/**
 * The outcome of one attempt of a call. `dropped`: it never reaches the table. `unanswered`: it is carried out, and
 * its response is lost. `held`: it is delivered later, after the SDK gave it up.
 */
export const disturbances = ['dropped', 'unanswered', 'held'] as const;
export type Disturbance = (typeof disturbances)[number];

const timeout = () => Object.assign(new Error('The attempt timed out'), { name: 'TimeoutError' });

/**
 * Disturbs attempts of one call to the table. The SDK times out and sends the call again, as in a deployment, until all
 * of its attempts are disturbed.
 *
 * @param at the index of the call, counted from here.
 * @param attempts the number of disturbed attempts: one, unless told.
 * @returns `deliver`, which delivers the held attempts and returns the errors of the table by name; `sent`, the number
 * of attempts of the call; `restore`, which must always be called.
 */
export function disturbCall(
  at: number,
  disturbance: Disturbance,
  attempts = 1,
): { deliver(): Promise<string[]>; sent(): number; restore(): void } {
  const held: (() => Promise<unknown>)[] = [];
  const disturbed = new WeakSet<object>();
  let calls = 0;
  let sent = 0;
  dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      if (calls === at) disturbed.add(context);
      calls += 1;
      return next(args);
    },
    { step: 'initialize', name: 'disturbed-call' },
  );
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (!disturbed.has(context)) return next(args);
      sent += 1;
      if (sent > attempts) return next(args);
      if (disturbance === 'unanswered') await next(args);
      if (disturbance === 'held') held.push(() => next(args));
      throw timeout();
    },
    { step: 'finalizeRequest', priority: 'low', name: 'disturbed-attempt' },
  );
  return {
    deliver: async () => {
      const results = await Promise.allSettled(held.splice(0).map((send) => send()));
      return results.flatMap((result) => (result.status === 'rejected' ? [String(result.reason.name)] : []));
    },
    sent: () => sent,
    restore: () => {
      dynamodb.middlewareStack.remove('disturbed-call');
      dynamodb.middlewareStack.remove('disturbed-attempt');
    },
  };
}
