import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { registeredRoutes } from '../../functions/routes.ts';
import { secondMs } from '../../functions/shared/runtime/duration.ts';
import { type RegisteredTimer, registeredTimers } from '../../functions/timers.ts';
import { writeDeployedFiles } from '../deployment/bundling/deployed-files.ts';
import { bankImport, importTask } from '../deployment/state-machines/bank-import.ts';
import { subscriptionTasks, subscriptionTimer } from '../deployment/state-machines/subscription.ts';
import { deliveryTask, firstAttempts, laterAttempts } from '../deployment/state-machines/webhook-delivery.ts';
import { filterPattern, streamSettings } from '../deployment/stream.ts';
import { installDate, LocalClock, signBySystemDate } from './clock.ts';
import { explainFileError } from './data-files.ts';
import type { DemoOptions } from './demo/demo-client.ts';
import { demoData } from './demo/demo-data.ts';
import { People } from './demo/people.ts';
import { startCheckedEngine } from './engine.ts';
import {
  applyEnvironment,
  deploymentKeyName,
  handlerEnvironment,
  machineArns,
  mailConfigurationSet,
  mailDomain,
  stripeSecret,
  stripeSecretPrefix,
} from './environment.ts';
import { invokeFunction, invokeTimer, loadHandler, runTimer } from './functions.ts';
import { healthCheck } from './health.ts';
import { homeRoutes } from './home/routes.ts';
import { StepLog } from './home/step-log.ts';
import { httpServer } from './http/server.ts';
import { listen, listenEndpoint } from './listen.ts';
import { mailboxEndpoint } from './mailbox/endpoint.ts';
import { Mailbox } from './mailbox/mailbox.ts';
import { mailboxRoutes } from './mailbox/routes.ts';
import { Schedule } from './schedule.ts';
import { secretsEndpoint, storedDeploymentKey } from './secrets.ts';
import { openState } from './state.ts';
import { stateMachinesEndpoint } from './state-machines/endpoint.ts';
import { StateMachines } from './state-machines/state-machines.ts';
import type { Consumer } from './stream/consumer.ts';
import { TableStream } from './stream/table-stream.ts';
import { createTable } from './table.ts';
import { WebhookCatcher } from './webhooks/catcher.ts';
import { webhookRoutes } from './webhooks/routes.ts';
import { deliveriesOf, webhookOf } from './webhooks/still-running.ts';

export interface StackOptions {
  /** 0 for any free port. */
  port: number;
  /** Directory of the data that survives a run; `:memory:` stores nothing. */
  dataDir: string;
  /** The caller's environment. Endpoints named there replace the local ones. */
  env: Record<string, string | undefined>;
  /** Receives lines for the terminal. */
  log: (line: string) => void;
}

/** A running local stack. */
export interface Stack {
  /** Base URL of the API. */
  url: string;
  /** Ends everything that was started, and restores the environment and the clock of the process. */
  stop(): Promise<void>;
}

/**
 * Starts the whole project on this machine: the DynamoDB engine, the mailbox, the state machines, and the API in front of
 * them. Until the stack stops, it replaces the environment and the clock of this process.
 *
 * @throws DataDirectoryInUse
 * @throws UnusableData
 * @throws Error with code EADDRINUSE when the port is taken
 */
export async function startStack(options: StackOptions): Promise<Stack> {
  const undo: (() => unknown)[] = [];
  const stop = async () => {
    for (let step = undo.pop(); step !== undefined; step = undo.pop()) await step();
  };
  try {
    return { url: await start(options, undo), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

/** Pushes a function that undoes each step. They run in reverse order. */
async function start({ port, dataDir, env, log }: StackOptions, undo: (() => unknown)[]): Promise<string> {
  const report = (context: string, cause: unknown) => log(`${context}: ${describe(cause)}`);
  const state = openState(dataDir);
  undo.push(() => state.close());

  const clock = new LocalClock(state, { report: (error) => report('timers', error) });
  const nowMs = () => clock.nowMs();
  if (nowMs() - Date.now() > secondMs)
    log(
      `The clock of this data was moved: it is ${new Date(nowMs()).toISOString()}. To start anew, delete ${dataDir}.`,
    );
  undo.push(installDate(nowMs));
  undo.push(signBySystemDate());

  const filesDir = join(state.directory, 'files');
  await writeDeployedFiles(filesDir, 'local').catch((error: unknown) => {
    throw explainFileError(filesDir, error);
  });

  const externalEngine = env.AWS_ENDPOINT_URL_DYNAMODB;
  const engine = externalEngine ? undefined : await startCheckedEngine(state.tablePath);
  let hasEnded = false;
  let stopping = false;
  void engine?.ended.then(() => {
    hasEnded = true;
    if (!stopping) log(engineHasEnded);
  });
  undo.push(() => {
    stopping = true;
    return engine?.stop();
  });

  const mailbox = new Mailbox({
    database: state.database,
    nowMs,
    // Mail from any other sender is refused, as by SES.
    verifiedDomains: [mailDomain],
    configurationSets: [mailConfigurationSet],
  });
  const catcher = new WebhookCatcher({ database: state.database, nowMs });
  const ses = await listenEndpoint(mailboxEndpoint(mailbox));
  undo.push(() => ses.close());

  let stream: TableStream | undefined;
  /** The writes of a function reach the consumers as soon as it has ended. */
  const thenReadStream =
    <A extends unknown[], R>(run: (...args: A) => Promise<R>) =>
    (...args: A) =>
      run(...args).finally(() => stream?.wake());

  const steps = new StepLog();
  const machines = new StateMachines({
    database: state.database,
    nowMs,
    invoke: steps.noting(thenReadStream(invokeTimer)),
    onChange: () => clock.rearm(),
    groupOf: webhookOf,
  });
  undo.push(() => machines.close());
  machines.define(machineArns.TIMER_STATE_MACHINE_ARN, subscriptionTimer(subscriptionTasks));
  machines.define(machineArns.WEBHOOK_DELIVERY_MACHINE_ARN, firstAttempts(deliveryTask));
  machines.define(machineArns.WEBHOOK_RETRY_MACHINE_ARN, laterAttempts(deliveryTask));
  machines.define(machineArns.BANK_IMPORT_MACHINE_ARN, bankImport(importTask));
  const sfn = await listenEndpoint(stateMachinesEndpoint(machines));
  undo.push(() => sfn.close());

  const stripe = stripeSecret(env);
  const secrets = await listenEndpoint(
    secretsEndpoint(
      { [deploymentKeyName]: storedDeploymentKey(state) },
      stripe === undefined ? {} : { [stripeSecretPrefix]: stripe },
    ),
  );
  undo.push(() => secrets.close());

  const endpoints = {
    dynamodb: externalEngine || (engine?.endpoint ?? ''),
    ses: env.AWS_ENDPOINT_URL_SES || ses.url,
    sfn: env.AWS_ENDPOINT_URL_SFN || sfn.url,
    secretsManager: secrets.url,
  };
  const variables = handlerEnvironment(env, endpoints, filesDir);
  undo.push(applyEnvironment(variables));
  const tableName = variables.TABLE_NAME ?? '';
  const streamArn = await createTable(endpoints.dynamodb, tableName).catch((error: unknown) => {
    throw explainFileError(engine?.databasePath ?? endpoints.dynamodb, error);
  });

  const timers = registeredTimers();
  stream = new TableStream({
    endpoint: env.AWS_ENDPOINT_URL_DYNAMODB_STREAMS || endpoints.dynamodb,
    streamArn,
    consumers: timers.flatMap((entry) => consumerOf(entry, thenReadStream(runTimer))),
    state,
    nowMs,
    report,
    onChange: () => clock.rearm(),
  });

  clock.register(machines);
  clock.register(stream);
  clock.waitFor(stream);
  clock.waitFor(machines);
  for (const entry of timers) {
    const { everyMinutes } = entry.timer;
    // Without an interval, the stream or a state machine invokes the timer.
    if (everyMinutes === undefined) continue;
    clock.register(new Schedule({ entry, everyMinutes, run: thenReadStream(runTimer), nowMs, report }));
  }
  // Running functions need the environment, which is restored after this. One that hangs must not keep the stack from stopping.
  undo.push(() => {
    machines.close();
    const ended = Promise.all([clock.stop(), stream?.stop(), machines.idle()]);
    return Promise.race([ended, sleep(stopGraceMs, undefined, { ref: false })]);
  });

  const stillRunning = () => deliveriesOf(machines.notWaitedFor());
  const registry = registeredRoutes();
  const invoke = thenReadStream(invokeFunction);
  let ownUrl = '';
  const demoOptions: DemoOptions = {
    state,
    invoke,
    nowMs,
    endpoint: endpoints.dynamodb,
    tableName,
    newestMail: (to) => mailbox.list({ to, limit: 1 })[0],
    webhookReceiver: (name, secret) => {
      if (secret !== undefined) catcher.setSecret(name, secret);
      return `${ownUrl}/_local/webhooks/${name}`;
    },
    origin: () => ownUrl.replace('127.0.0.1', 'localhost'),
  };
  const demo = demoData(demoOptions);
  const people = new People(demoOptions, demo);
  const tablePath = engine?.databasePath;
  const check = healthCheck({ state, endpoint: endpoints.dynamodb, tableName, tablePath });
  const server = httpServer({
    registry,
    invoke,
    nowMs,
    allowedOrigins: JSON.parse(variables.ALLOWED_ORIGINS ?? '[]'),
    publicUrl: variables.PUBLIC_URL,
    report,
    log,
    local: [
      mailboxRoutes(mailbox, { settled: () => clock.settled() }),
      webhookRoutes(catcher, { settled: () => clock.settled(), stillRunning }),
      homeRoutes(
        { clock, mailbox, catcher, steps, options: demoOptions, demo, people },
        { health: async () => (hasEnded ? engineHasEnded : check()), stillRunning, report },
      ),
    ],
  });
  const { url, close } = await listen(server, port);
  ownUrl = url;
  undo.push(close);
  // Preloaded for the first request. A handler that does not load reports the reason when it is called.
  void Promise.allSettled(registry.map(loadHandler));
  return url;
}

const stopGraceMs = 2 * secondMs;
const engineHasEnded = 'The DynamoDB engine has ended. Start again: the data is kept.';

/** The consumer of a timer that takes the stream; none of any other timer. */
function consumerOf(entry: RegisteredTimer, run: typeof runTimer): Consumer[] {
  const { stream } = entry.timer;
  if (stream === undefined) return [];
  return [
    {
      id: entry.id,
      pattern: filterPattern(stream),
      settings: streamSettings(entry.timer),
      invoke: (event) => run(entry, event),
    },
  ];
}

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
