import { ses as mail } from '../../../functions/shared/mail/mailer.ts';
import { dynamodb as table } from '../../../functions/shared/table/table.ts';
import { sfn as stateMachine } from '../../../functions/subscriptions/scheduling/executions.ts';

/**
 * Answers the n-th call of each command at once with what the n-th one was answered first, refusals included: what
 * is left of a request that is repeated is the handler's own work. What depends on an id made anew takes the other
 * turn: to the second check of an unknown device it seems to be there already.
 */
export function replay(): { again(): void; stop(): void } {
  const remembered = new Map<string, Promise<unknown>>();
  const counts = new Map<string, number>();
  const stacks = [
    table.middlewareStack,
    mail.middlewareStack,
    // Three unlike types cannot be called as one; only the names of commands are looked at.
    stateMachine.middlewareStack as unknown as typeof mail.middlewareStack,
  ];
  for (const stack of stacks) {
    stack.add(
      (next, context) => (args) => {
        const command = String(context.commandName);
        const n = counts.get(command) ?? 0;
        counts.set(command, n + 1);
        const known = remembered.get(`${command} ${n}`) ?? next(args);
        remembered.set(`${command} ${n}`, known);
        return known as ReturnType<typeof next>;
      },
      { step: 'initialize', name: 'replay' },
    );
  }
  return {
    again: () => counts.clear(),
    stop: () => {
      for (const stack of stacks) stack.remove('replay');
    },
  };
}
