import { ses as mail } from '../../functions/shared/mail/mailer.ts';
import { dynamodb } from '../../functions/shared/table/table.ts';

type Fault = Error | undefined;

/**
 * Makes calls to the table fail before they are sent, as a lost connection does; or lets something else happen
 * first, when `fails` takes its time.
 *
 * @param fails whether the call fails, by its command's name, how many there were before it, and its input.
 * @returns how to stop; call it in any case.
 */
export function failTable(fails: (command: string, index: number, input: object) => Fault | Promise<Fault>): {
  calls: string[];
  restore(): void;
} {
  const calls: string[] = [];
  const name = 'injected-fault';
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName);
      const fault = await fails(command, calls.push(command) - 1, args.input);
      if (fault !== undefined) throw fault;
      return next(args);
    },
    { step: 'initialize', name },
  );
  return { calls, restore: () => dynamodb.middlewareStack.remove(name) };
}

/**
 * The same for mail: `fails` is asked before each is handed to SES, by how many there were before it. One that
 * takes for ever is a function that was killed there.
 */
export function failMail(fails: (index: number) => Fault | Promise<Fault>): { restore(): void } {
  const name = 'injected-mail-fault';
  let index = 0;
  mail.middlewareStack.add(
    (next) => async (args) => {
      index += 1;
      const fault = await fails(index - 1);
      if (fault !== undefined) throw fault;
      return next(args);
    },
    { step: 'initialize', name },
  );
  return { restore: () => mail.middlewareStack.remove(name) };
}

/** Carries calls to the table out and loses their answers, as a connection does that breaks too late. */
export function loseAnswers(loses: (command: string, index: number) => boolean): { restore(): void } {
  const name = 'lost-answer';
  let index = 0;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      index += 1;
      const isLost = loses(String(context.commandName), index - 1);
      const answer = await next(args);
      if (isLost) throw new Error('the answer was lost');
      return answer;
    },
    { step: 'initialize', name },
  );
  return { restore: () => dynamodb.middlewareStack.remove(name) };
}

/** What DynamoDB answers a transaction that meets another one; the embedded engine never does. */
export function transactionConflict(...codes: string[]): Error {
  return Object.assign(new Error('Transaction cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: (codes.length > 0 ? codes : ['TransactionConflict']).map((Code) => ({ Code })),
  });
}

/**
 * The calls to the table that `work` makes, by round trip: those of one line ran side by side, each line waited for
 * one before it.
 */
export async function roundTrips(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = [];
  const name = 'round-trips';
  let done = 0;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const trip = done;
      trips[trip] = [...(trips[trip] ?? []), String(context.commandName)].sort();
      try {
        return await next(args);
      } finally {
        done = Math.max(done, trip + 1);
      }
    },
    { step: 'initialize', name },
  );
  try {
    await work();
  } finally {
    dynamodb.middlewareStack.remove(name);
  }
  return trips;
}

/** Counts calls to the table while `work` runs. */
export async function countCalls(work: () => Promise<unknown>): Promise<string[]> {
  const watch = failTable(() => undefined);
  try {
    await work();
  } finally {
    watch.restore();
  }
  return watch.calls;
}
