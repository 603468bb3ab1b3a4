import { sfn as stateMachine } from '../../../functions/shared/lambda/executions.ts';
import { ses as mail } from '../../../functions/shared/mail/mailer.ts';
import { dynamodb as table } from '../../../functions/shared/table/table.ts';

/**
 * Answers the n-th call of each command immediately with the first response to the n-th call, errors included, so that
 * only the handler's own work remains of a repeated request. A call that depends on a new id follows the recorded
 * course: for the second check of an unknown device the device seems to exist already.
 */
export function replay(): { again(): void; stop(): void } {
  const responses = new Map<string, Promise<unknown>>();
  const counts = new Map<string, number>();
  const stacks = [
    table.middlewareStack,
    mail.middlewareStack,
    // The three stacks have different types. Only the names of commands are read.
    stateMachine.middlewareStack as unknown as typeof mail.middlewareStack,
  ];
  for (const stack of stacks) {
    stack.add(
      (next, context) => (args) => {
        const command = String(context.commandName);
        const n = counts.get(command) ?? 0;
        counts.set(command, n + 1);
        const recorded = responses.get(`${command} ${n}`) ?? next(args);
        responses.set(`${command} ${n}`, recorded);
        return recorded as ReturnType<typeof next>;
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
