import { join } from 'node:path';
import { setTimeout as sleep } from 'node:timers/promises';
import { type Registered, registeredRoutes } from '../../functions/routes.ts';
import { minuteMs, secondMs } from '../../functions/shared/runtime/clock.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { writeDeployedFiles } from '../deployment/bundling/deployed-files.ts';
import { atIntervals, installDate, LocalClock, signBySystemDate } from './clock.ts';
import { checkDatabase, explainFileError } from './data-files.ts';
import type { DemoOptions } from './demo/demo-client.ts';
import { demoData } from './demo/demo-data.ts';
import { People } from './demo/people.ts';
import { startEmulators } from './emulators.ts';
import { startEngine } from './engine.ts';
import { applyEnvironment, handlerEnvironment } from './environment.ts';
import { invokeFunction, invokeTimer, loadHandler, runTimer } from './functions.ts';
import { healthCheck } from './health.ts';
import { homeRoutes } from './home/routes.ts';
import { httpServer } from './http/server.ts';
import { listen } from './listen.ts';
import { mailboxRoutes } from './mailbox/routes.ts';
import { openState, type State } from './state.ts';
import { consumerOf } from './stream/consumer.ts';
import { TableStream } from './stream/table-stream.ts';
import { createTable, type LocalTable, openTable } from './table.ts';
import { deliveriesOf } from './webhooks/catcher.ts';
import { webhookRoutes } from './webhooks/routes.ts';

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

export interface Stack {
  url: string;
  /** Ends everything that was started, and restores the environment and the clock of the process. */
  stop(): Promise<void>;
}

interface StackBase extends StackOptions {
  state: State;
  clock: LocalClock;
  nowMs: () => number;
  report: (context: string, cause: unknown) => void;
  /** Runs when the stack stops, the latest first. */
  onStop: (undo: () => unknown) => void;
  /** The writes of a function reach the consumers of the stream as soon as it has ended. */
  thenReadStream: <A extends unknown[], R>(run: (...args: A) => Promise<R>) => (...args: A) => Promise<R>;
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
    return { url: await start(options, (step) => undo.push(step)), stop };
  } catch (error) {
    await stop();
    throw error;
  }
}

async function start(options: StackOptions, onStop: StackBase['onStop']): Promise<string> {
  const { dataDir, env, log } = options;
  const report = (context: string, cause: unknown) => log(`${context}: ${describe(cause)}`);
  const state = openState(dataDir);
  onStop(() => state.close());
  const clock = new LocalClock(state, { report: (error) => report('timers', error) });
  const nowMs = () => clock.nowMs();
  if (nowMs() - Date.now() > secondMs)
    log(
      `The clock of this data was moved: it is ${new Date(nowMs()).toISOString()}. To start anew, delete ${dataDir}.`,
    );
  onStop(installDate(nowMs));
  onStop(signBySystemDate());

  let stream: TableStream | undefined;
  const thenReadStream: StackBase['thenReadStream'] =
    (run) =>
    (...args) =>
      run(...args).finally(() => stream?.wake());
  const base: StackBase = { ...options, state, clock, nowMs, report, onStop, thenReadStream };

  const filesDir = join(state.directory, 'files');
  await writeDeployedFiles(filesDir, 'local').catch((error: unknown) => {
    throw explainFileError(filesDir, error);
  });
  const engine = await startOwnEngine(base);
  const emulators = await startEmulators({ ...base, invoke: thenReadStream(invokeTimer) });
  const endpoints = { dynamodb: engine.endpoint, ...emulators.endpoints };
  const variables = handlerEnvironment(env, endpoints, filesDir);
  onStop(applyEnvironment(variables));

  const tableName = variables.TABLE_NAME ?? '';
  const streamArn = await createTable(engine.endpoint, tableName).catch((error: unknown) => {
    throw explainFileError(engine.tablePath ?? engine.endpoint, error);
  });
  const table = openTable(engine.endpoint, tableName);
  onStop(() => table.close());
  stream = startWork(base, emulators, { endpoint: engine.endpoint, streamArn });
  return serve(base, { engine, emulators, table, variables });
}

interface OwnEngine {
  endpoint: string;
  /** Undefined for an engine of the caller's. */
  tablePath: string | undefined;
  hasEnded: () => boolean;
}

async function startOwnEngine({ env, state, log, onStop }: StackBase): Promise<OwnEngine> {
  const given = env.AWS_ENDPOINT_URL_DYNAMODB;
  if (given) return { endpoint: given, tablePath: undefined, hasEnded: () => false };
  const { endpoint, databasePath, ended, stop } = await startOn(state.tablePath);
  let hasEnded = false;
  let stopping = false;
  void ended.then(() => {
    hasEnded = true;
    if (!stopping) log(engineHasEnded);
  });
  onStop(() => {
    stopping = true;
    return stop();
  });
  return { endpoint, tablePath: databasePath, hasEnded: () => hasEnded };
}

/** @param file undefined for data that is not kept. @throws UnusableData */
async function startOn(file: string | undefined) {
  if (file === undefined) return startEngine();
  checkDatabase(file);
  return startEngine(file).catch((error: unknown) => {
    throw explainFileError(file, error);
  });
}

type Emulators = Awaited<ReturnType<typeof startEmulators>>;

/** Starts what runs without a request: executions, the consumers of the stream, and schedules. */
function startWork(
  { env, state, clock, nowMs, report, onStop, thenReadStream }: StackBase,
  { machines }: Emulators,
  { endpoint, streamArn }: { endpoint: string; streamArn: string },
): TableStream {
  const timers = registeredTimers();
  const run = thenReadStream(runTimer);
  const stream = new TableStream({
    endpoint: env.AWS_ENDPOINT_URL_DYNAMODB_STREAMS || endpoint,
    streamArn,
    consumers: timers.flatMap((entry) => consumerOf(entry, run)),
    state,
    nowMs,
    report,
  });
  for (const work of [machines, stream]) clock.register(work);
  for (const work of [machines.runs, stream]) clock.waitFor(work);
  for (const entry of timers) {
    const { everyMinutes } = entry.timer;
    // Without an interval, the stream or a state machine invokes the timer.
    if (everyMinutes === undefined) continue;
    // A failed run must not stop the clock.
    const runOnce = () => run(entry).catch((error: unknown) => report(entry.id, error));
    clock.register(atIntervals(everyMinutes * minuteMs, nowMs, runOnce));
  }
  // Running functions need the environment, which is restored after this. One that hangs must not keep the stack from stopping.
  onStop(() => {
    machines.close();
    const ended = Promise.all([clock.stop(), stream.stop(), machines.runs.idle()]);
    return Promise.race([ended, sleep(stopGraceMs, undefined, { ref: false })]);
  });
  return stream;
}

interface Served {
  engine: OwnEngine;
  emulators: Emulators;
  table: LocalTable;
  variables: Record<string, string | undefined>;
}

/** Serves the API and the pages of the stack. @returns the URL. */
async function serve(base: StackBase, { engine, emulators, table, variables }: Served): Promise<string> {
  const { port, state, clock, nowMs, report, log, onStop } = base;
  const { mailbox, catcher, steps, machines } = emulators;
  const registry: Registered[] = registeredRoutes();
  const invoke = base.thenReadStream(invokeFunction);
  let ownUrl = '';
  const options: DemoOptions = {
    state,
    invoke,
    nowMs,
    table,
    newestMail: (to) => mailbox.list(to, 1)[0],
    webhookReceiver: (name, secret) => {
      if (secret !== undefined) catcher.setSecret(name, secret);
      return `${ownUrl}/_local/webhooks/${name}`;
    },
    origin: () => ownUrl.replace('127.0.0.1', 'localhost'),
  };
  const demo = demoData(options);
  const check = healthCheck({ state, table, tablePath: engine.tablePath });
  const health = async () => (engine.hasEnded() ? engineHasEnded : check());
  const settled = () => clock.settled();
  const stillRunning = () => deliveriesOf(machines.runs.notWaitedFor());
  const stage = { clock, mailbox, catcher, steps, options, demo, people: new People(options, demo) };
  const server = httpServer({
    registry,
    invoke,
    nowMs,
    allowedOrigins: JSON.parse(variables.ALLOWED_ORIGINS ?? '[]'),
    publicUrl: base.env.PUBLIC_URL || undefined,
    report,
    log,
    local: [
      mailboxRoutes(mailbox, settled),
      webhookRoutes(catcher, settled, stillRunning),
      homeRoutes(stage, { health, stillRunning, report }),
    ],
  });
  const { url, close } = await listen(server, port);
  ownUrl = url;
  onStop(close);
  // Preloaded for the first request. A handler that does not load reports the reason when it is called.
  void Promise.allSettled(registry.map(loadHandler));
  return url;
}

const stopGraceMs = 2 * secondMs;
const engineHasEnded = 'The DynamoDB engine has ended. Start again: the data is kept.';

function describe(cause: unknown): string {
  return cause instanceof Error ? (cause.stack ?? cause.message) : String(cause);
}
