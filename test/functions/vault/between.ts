import { dynamodb } from '../../../functions/shared/table/table.ts';

/** One call to the table. */
export interface TableCall {
  command: string;
  /** Partition key, of a call that names one item. */
  pk: string | undefined;
}

/**
 * Lets something happen between the table's answer to one call and the handler's next step: the first call that
 * `is` picks waits for `meanwhile` before it hands its answer on.
 *
 * @returns how to stop; call it in any case. `happened` says whether the call was met.
 */
export function onceAnswered(
  is: (call: TableCall) => boolean,
  meanwhile: () => Promise<unknown>,
): { happened(): boolean; restore(): void } {
  const name = 'once-answered';
  let met = false;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const { Key } = args.input as { Key?: { pk?: string } };
      const isIt = !met && is({ command: String(context.commandName), pk: Key?.pk });
      met ||= isIt;
      const result = await next(args);
      if (isIt) await meanwhile();
      return result;
    },
    { step: 'initialize', name },
  );
  return { happened: () => met, restore: () => dynamodb.middlewareStack.remove(name) };
}

/**
 * Loses answers of the table: the call is carried out, and the connection breaks before the answer is read. The SDK
 * sends such a call again, as it would in a deployment, unless all of its attempts are lost.
 *
 * @param attempts how many answers to calls of that command are lost.
 * @returns how to stop; call it in any case. `sent` counts the attempts that reached the table.
 */
export function loseAnswers(command: string, attempts: number): { sent(): number; restore(): void } {
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
