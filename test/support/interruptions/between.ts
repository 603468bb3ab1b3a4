import { dynamodb } from '../../../functions/shared/table/client.ts';

/** A call to DynamoDB. */
export interface TableCall {
  command: string;
  /** Partition key, for calls on one item. */
  pk: string | undefined;
}

/**
 * Injects work between DynamoDB's response to one call and the next step of the handler: the first call that
 * `matches` waits for `work` before it returns its response.
 *
 * @returns `happened`: whether such a call was made. `restore` must always be called.
 */
export function onceAnswered(
  matches: (call: TableCall) => boolean,
  work: () => Promise<unknown>,
): { happened(): boolean; restore(): void } {
  const name = 'once-answered';
  let happened = false;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const { Key } = args.input as { Key?: { pk?: string } };
      const isMatch = !happened && matches({ command: String(context.commandName), pk: Key?.pk });
      happened ||= isMatch;
      const result = await next(args);
      if (isMatch) await work();
      return result;
    },
    { step: 'initialize', name },
  );
  return { happened: () => happened, restore: () => dynamodb.middlewareStack.remove(name) };
}

/**
 * Loses responses of DynamoDB: the call is carried out, and the connection breaks before its response is
 * read. The SDK resends such a call, as in a deployment, until all of its attempts are lost.
 *
 * @param attempts number of lost responses to calls of that command.
 * @returns `sent`: the number of attempts that reached DynamoDB. `restore` must always be called.
 */
export function loseAnswersTo(command: string, attempts: number): { sent(): number; restore(): void } {
  const name = 'lost-answers';
  let sent = 0;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const result = await next(args);
      if (context.commandName !== command) return result;
      sent += 1;
      if (sent > attempts) return result;
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    },
    { step: 'finalizeRequest', priority: 'low', name },
  );
  return { sent: () => sent, restore: () => dynamodb.middlewareStack.remove(name) };
}
