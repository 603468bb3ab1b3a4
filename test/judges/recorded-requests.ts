import { SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient } from '@aws-sdk/client-ses';
import { SFNClient } from '@aws-sdk/client-sfn';
import { dynamodb } from '../../functions/shared/table/client.ts';
import { inOwnTable } from '../bench/capacity/own-table.ts';
import { cases } from '../bench/cases/all.ts';
import { prepared } from '../bench/cases/prepare.ts';
import { type Access, accessesOf } from '../support/granted.ts';

/** A request to another service than the table: the name of the command without `Command`, and its input. */
export interface ServiceRequest {
  readonly command: string;
  readonly input: Readonly<Record<string, unknown>>;
}

/** The requests of functions, by the id of the route or timer. */
export interface Recorded {
  readonly accesses: ReadonlyMap<string, Access[]>;
  readonly services: ReadonlyMap<string, ServiceRequest[]>;
}

/** Runs every case of the chosen functions, and records what each requests of AWS. */
export async function recordRequests(isChosen: (id: string) => boolean): Promise<Recorded> {
  const accesses = new Map<string, Access[]>();
  const services = new Map<string, ServiceRequest[]>();
  let running: string | undefined;
  const add = <T>(to: Map<string, T[]>, values: readonly T[]) => {
    if (running !== undefined) to.set(running, [...(to.get(running) ?? []), ...values]);
  };
  dynamodb.middlewareStack.add(
    (next, context) => (args) => {
      add(accesses, accessesOf(String(context.commandName), args.input));
      return next(args);
    },
    { step: 'initialize', name: 'recorder' },
  );
  // Each module has a client of its own, so the classes are observed.
  const observed = [SecretsManagerClient, SESClient, SFNClient].map(({ prototype }) => ({
    prototype,
    send: prototype.send,
  }));
  for (const { prototype, send } of observed) {
    prototype.send = function (this: never, command: { input: object }, ...rest: never[]) {
      const name = command.constructor.name.replace(/Command$/, '');
      add(services, [{ command: name, input: command.input as ServiceRequest['input'] }]);
      return (send as (...args: unknown[]) => Promise<never>).call(this, command, ...rest);
    } as never;
  }
  try {
    for (const one of cases.filter(({ id }) => isChosen(id))) {
      const run = async () => {
        const work = await prepared(one);
        running = one.id;
        await work().finally(() => {
          running = undefined;
        });
      };
      await (one.alone ? inOwnTable(run) : run());
    }
  } finally {
    dynamodb.middlewareStack.remove('recorder');
    for (const { prototype, send } of observed) prototype.send = send;
  }
  return { accesses, services };
}
