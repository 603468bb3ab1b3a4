import { client as mail } from '../../functions/shared/mailer.ts';
import { client } from '../../functions/shared/table.ts';

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
  client.middlewareStack.add(
    (next, context) => async (args) => {
      const command = String(context.commandName);
      const fault = await fails(command, calls.push(command) - 1, args.input);
      if (fault !== undefined) throw fault;
      return next(args);
    },
    { step: 'initialize', name },
  );
  return { calls, restore: () => client.middlewareStack.remove(name) };
}

/** The same for mail: `fails` is asked before each is handed to SES. */
export function failMail(fails: (index: number) => Fault): { restore(): void } {
  const name = 'injected-mail-fault';
  let index = 0;
  mail.middlewareStack.add(
    (next) => async (args) => {
      const fault = fails(index);
      index += 1;
      if (fault !== undefined) throw fault;
      return next(args);
    },
    { step: 'initialize', name },
  );
  return { restore: () => mail.middlewareStack.remove(name) };
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
