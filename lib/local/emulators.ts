import * as z from 'zod/mini';
import { bankImport, importTask } from '../deployment/state-machines/bank-import.ts';
import { subscriptionTasks, subscriptionTimer } from '../deployment/state-machines/subscription.ts';
import { deliveryTask, firstAttempts, laterAttempts } from '../deployment/state-machines/webhook-delivery.ts';
import {
  deploymentKeyName,
  machineArns,
  mailConfigurationSet,
  mailDomain,
  stripeSecret,
  stripeSecretPrefix,
} from './environment.ts';
import type { StepsRun } from './home/actions.ts';
import { listenEndpoint } from './listen.ts';
import { mailboxEndpoint } from './mailbox/endpoint.ts';
import { Mailbox } from './mailbox/mailbox.ts';
import { Records } from './records.ts';
import { secretsEndpoint, storedDeploymentKey } from './secrets.ts';
import type { State } from './state.ts';
import { stateMachinesEndpoint } from './state-machines/endpoint.ts';
import { StateMachines } from './state-machines/state-machines.ts';
import { WebhookCatcher, webhookOf } from './webhooks/catcher.ts';

interface EmulatorOptions {
  state: State;
  nowMs: () => number;
  env: Record<string, string | undefined>;
  invoke: (id: string, payload: unknown) => Promise<unknown>;
  onStop: (undo: () => unknown) => void;
}

/** Starts the stand-ins for the services of AWS beside DynamoDB, and the receiver of webhooks. */
export async function startEmulators({ state, nowMs, env, onStop, invoke }: EmulatorOptions) {
  const { database } = state;
  const mailbox = new Mailbox({
    state,
    nowMs,
    // Mail from any other sender is refused, as by SES.
    verifiedDomains: [mailDomain],
    configurationSets: [mailConfigurationSet],
  });
  const steps = new Records<StepsRun>(database, 'steps_run');
  const machines = new StateMachines({
    database,
    nowMs,
    invoke: noting(steps, invoke),
    groupOf: webhookOf,
  });
  onStop(() => machines.close());
  machines.define(machineArns.TIMER_STATE_MACHINE_ARN, subscriptionTimer(subscriptionTasks));
  machines.define(machineArns.WEBHOOK_DELIVERY_MACHINE_ARN, firstAttempts(deliveryTask));
  machines.define(machineArns.WEBHOOK_RETRY_MACHINE_ARN, laterAttempts(deliveryTask));
  machines.define(machineArns.BANK_IMPORT_MACHINE_ARN, bankImport(importTask));

  const stripe = stripeSecret(env);
  const secrets = secretsEndpoint(
    { [deploymentKeyName]: storedDeploymentKey(state) },
    stripe === undefined ? {} : { [stripeSecretPrefix]: stripe },
  );
  const listening = async (listener: typeof secrets) => {
    const { url, close } = await listenEndpoint(listener);
    onStop(close);
    return url;
  };
  const endpoints = {
    ses: env.AWS_ENDPOINT_URL_SES || (await listening(mailboxEndpoint(mailbox))),
    sfn: env.AWS_ENDPOINT_URL_SFN || (await listening(stateMachinesEndpoint(machines))),
    secretsManager: await listening(secrets),
  };
  return { mailbox, machines, steps, catcher: new WebhookCatcher(state, nowMs), endpoints };
}

const Input = z.object({ externalId: z.string() });
const Taken = z.object({ taken: z.array(z.string()).check(z.minLength(1)), status: z.string() });

function noting(steps: Records<StepsRun>, invoke: EmulatorOptions['invoke']): EmulatorOptions['invoke'] {
  return async (id, payload) => {
    const result = await invoke(id, payload);
    const input = Input.safeParse(payload).data;
    const run = Taken.safeParse(result).data;
    if (input !== undefined && run !== undefined) steps.add(Object.assign(input, run));
    return result;
  };
}
