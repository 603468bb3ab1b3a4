import { ses } from '../../functions/shared/mail/mailer.ts';
import { dynamodb } from '../../functions/shared/table/client.ts';

type Fault = Error | undefined;

/**
 * Makes calls to the table fail before they are sent, as a lost connection does. An asynchronous `fails` can
 * also run other work before the call.
 *
 * @param fails the error of a call, by the name of its command, its index and its input.
 * @returns the calls so far, and `restore`, which has to be called in any case.
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
 * The same for mail: `fails` is called with the index of each mail before SES gets it. A promise that never
 * settles stands for a function that is killed there.
 */
export function failMail(fails: (index: number) => Fault | Promise<Fault>): { restore(): void } {
  const name = 'injected-mail-fault';
  let index = 0;
  ses.middlewareStack.add(
    (next) => async (args) => {
      index += 1;
      const fault = await fails(index - 1);
      if (fault !== undefined) throw fault;
      return next(args);
    },
    { step: 'initialize', name },
  );
  return { restore: () => ses.middlewareStack.remove(name) };
}

/** Executes calls to the table and loses their responses, as a connection that breaks too late. */
export function loseAnswers(loses: (command: string, index: number) => boolean): { restore(): void } {
  const name = 'lost-answer';
  let index = 0;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      index += 1;
      const isLost = loses(String(context.commandName), index - 1);
      const response = await next(args);
      if (isLost) throw new Error('the response was lost');
      return response;
    },
    { step: 'initialize', name },
  );
  return { restore: () => dynamodb.middlewareStack.remove(name) };
}

/**
 * The error of DynamoDB for a transaction that conflicts with another. The embedded engine never raises it.
 */
export function transactionConflict(...codes: string[]): Error {
  return Object.assign(new Error('Transaction cancelled'), {
    name: 'TransactionCanceledException',
    CancellationReasons: (codes.length > 0 ? codes : ['TransactionConflict']).map((Code) => ({ Code })),
  });
}

/**
 * The calls to the table that `work` makes, by round trip: calls of one round trip are concurrent, and each
 * round trip waits for one before it.
 *
 * The results of a round trip are held until all of its calls are answered. So a call that overtakes another on a busy
 * machine stays in its round trip.
 */
export async function roundTrips(work: () => Promise<unknown>): Promise<string[][]> {
  const trips: string[][] = [];
  const name = 'round-trips';
  let trip: { commands: string[]; answers: Promise<unknown>[] } | undefined;
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      if (trip === undefined) {
        trip = { commands: [], answers: [] };
        trips.push(trip.commands);
      }
      const current = trip;
      const answer = next(args);
      current.commands.push(String(context.commandName));
      current.answers.push(answer);
      await allSettled(current.answers);
      if (trip === current) trip = undefined;
      return answer;
    },
    { step: 'initialize', name },
  );
  try {
    await work();
  } finally {
    dynamodb.middlewareStack.remove(name);
  }
  return trips.map((commands) => commands.sort());
}

/** Resolves when all calls have settled, including those that are added while it waits. */
export async function allSettled(calls: readonly Promise<unknown>[]): Promise<void> {
  for (let settled = 0; settled < calls.length; ) {
    settled = calls.length;
    await Promise.allSettled(calls);
  }
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

/** The error of the SDK for a refusal by SES, which proves that the mail was not sent. */
export function refusedBySes(name: string, message = name): Error {
  return Object.assign(new Error(message), { name, $metadata: { httpStatusCode: 400 } });
}

/**
 * Lets SES accept each mail and loses its answer, as a connection that breaks too late. The SDK sees the fault where it
 * decides whether to send again.
 *
 * @param loses whether the answer to a request is lost, by its index; every answer by default.
 */
export function loseMailAnswers(loses: (index: number) => boolean = () => true): { restore(): void } {
  const name = 'lost-mail-answer';
  let index = 0;
  ses.middlewareStack.add(
    (next) => async (args) => {
      index += 1;
      const isLost = loses(index - 1);
      const result = await next(args);
      if (isLost)
        throw Object.assign(new Error('socket hang up'), { name: 'TimeoutError', code: 'ECONNRESET' });
      return result;
    },
    { step: 'deserialize', priority: 'high', name },
  );
  return { restore: () => ses.middlewareStack.remove(name) };
}

/**
 * Holds the first attempt of the first write that `matches`, as a slow network does: the SDK sees a broken
 * connection and sends the write again.
 *
 * @param matches decides by the name of the command and its input.
 * @returns `input` of the held write, undefined until one is held; `arrive`, which hands the held attempt to
 * DynamoDB and ignores its response; and `restore`, which has to be called in any case.
 */
export function holdFirstAttempt(matches: (command: string, input: object) => boolean): {
  input(): object | undefined;
  arrive(): Promise<void>;
  restore(): void;
} {
  const inputName = 'held-input';
  const attemptName = 'held-attempt';
  const inputs = new WeakMap<object, object>();
  let held: { input: object; send(): Promise<unknown> } | undefined;
  dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      inputs.set(context, args.input);
      return next(args);
    },
    { step: 'initialize', priority: 'high', name: inputName },
  );
  dynamodb.middlewareStack.add(
    (next, context) => async (args) => {
      const input = inputs.get(context);
      const isHeld = held === undefined && input !== undefined && matches(String(context.commandName), input);
      if (!isHeld) return next(args);
      held = { input, send: () => next(args) };
      throw Object.assign(new Error('socket hang up'), { code: 'ECONNRESET' });
    },
    { step: 'finalizeRequest', priority: 'low', name: attemptName },
  );
  return {
    input: () => held?.input,
    arrive: async () => {
      await held?.send().catch(() => undefined);
    },
    restore: () => {
      for (const name of [inputName, attemptName]) dynamodb.middlewareStack.remove(name);
    },
  };
}
