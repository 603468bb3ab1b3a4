import { execFile, spawn } from 'node:child_process';
import { existsSync, mkdirSync, writeFileSync } from 'node:fs';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { secondMs } from '../../functions/shared/runtime/duration.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { type Bundle, bundleFunctions } from '../../lib/bundle.ts';
import { everyDay } from '../bench/cases/all.ts';
import { proxyEvent, registered } from '../support/call.ts';
import { arn } from './policies.ts';
import type { Report } from './report.ts';
import { type Outcome, serveRuntimeApi } from './runtime-api.ts';

const runFile = promisify(execFile);

/** The runtime client that AWS's base images for Node.js run, which compiles libcurl and C++ when it is installed. */
const client = 'aws-lambda-ric';
const clientVersion = '4.0.2';
/** Kept between runs, and removed with the packages. */
const clientDirectory = join(
  import.meta.dirname,
  '../../node_modules/.cache/vouchsafe/lambda-runtime-client',
);

/** The function's own timeout in the deployment. */
const timeoutMs = 25 * secondMs;

/** Invokes every bundle once under AWS's runtime client, with the everyday request of the benchmarks. */
export async function judgeRuntime(work: string): Promise<Report> {
  const main = await installClient();
  const bundles = await bundleFunctions(join(work, 'bundles'));
  const faults: string[] = [];
  for (const bundle of bundles) {
    const fault = await faultOf(bundle, main);
    if (fault !== undefined) faults.push(`${bundle.id}: ${fault.slice(0, 500)}`);
  }
  return {
    judge: 'runtime',
    examined: `${bundles.length} bundles loaded and invoked once, by ${client} ${clientVersion} on Node ${process.version}`,
    faults,
  };
}

/** Installs the client unless it is there. @returns the path of its program. */
async function installClient(): Promise<string> {
  const directory = join(clientDirectory, 'node_modules', client);
  if (!existsSync(join(directory, 'rapid-client.node'))) {
    for (const [tool, args] of [
      ['cmake', '--version'],
      ['g++', '--version'],
      ['make', '--version'],
      ['xz', '--version'],
    ] as const) {
      await runFile(tool, [args]).catch(() => {
        throw new Error(`${client} needs ${tool}: install cmake, g++, make and xz-utils`);
      });
    }
    mkdirSync(clientDirectory, { recursive: true });
    const manifest = { private: true, allowScripts: { [client]: true } };
    writeFileSync(join(clientDirectory, 'package.json'), JSON.stringify(manifest));
    process.stdout.write(`Compiling ${client} ${clientVersion}, which takes some minutes\n`);
    const npm = ['install', '--save-exact', `${client}@${clientVersion}`];
    await runFile('npm', npm, { cwd: clientDirectory, maxBuffer: 1e8 });
  }
  return join(directory, 'index.mjs');
}

/** What is wrong with a bundle, if anything. */
async function faultOf({ id, directory }: Bundle, main: string): Promise<string | undefined> {
  const one = everyDay(id);
  const request = await one.ready();
  const isTimer = registeredTimers().some((timer) => timer.id === id);
  const event = isTimer ? (request?.body ?? {}) : proxyEvent(registered(id), request);
  const { kind, body } = await invoke(id, directory, main, event);
  if (kind !== 'response') return `${kind} ${body}`;
  const answer = JSON.parse(body);
  if (isTimer || answer.statusCode === one.status) return undefined;
  return `answered ${answer.statusCode} instead of ${one.status}: ${answer.body}`;
}

/** Runs the client for one invocation, in a process that has the bundle's folder and the variables of a function. */
async function invoke(id: string, directory: string, main: string, event: unknown): Promise<Outcome> {
  const name = `vouchsafe-dev-api-${id.replace('.', '-')}`;
  const api = await serveRuntimeApi(event, arn('lambda', `function:${name}`), timeoutMs);
  const inherited = [
    'TABLE_NAME',
    'DEPLOYMENT_KEY_SECRET',
    'STRIPE_SECRET_PREFIX',
    'MAIL_SENDER',
    'MAIL_CONFIGURATION_SET',
    'SANDBOX_GATEWAY',
    'TIMER_STATE_MACHINE_ARN',
    'WEBHOOK_DELIVERY_MACHINE_ARN',
    'WEBHOOK_RETRY_MACHINE_ARN',
    'BANK_IMPORT_MACHINE_ARN',
    'TIMER_HORIZON_HOURS',
    'APPLICATION_REQUESTS_PER_SECOND',
  ];
  const endpoints = Object.keys(process.env).filter((variable) => variable.startsWith('AWS_ENDPOINT_URL_'));
  const child = spawn(process.execPath, [main], {
    cwd: directory,
    stdio: ['ignore', 'pipe', 'pipe'],
    env: {
      ...Object.fromEntries(
        [...inherited, ...endpoints].map((variable) => [variable, process.env[variable]]),
      ),
      PATH: process.env.PATH,
      AWS_LAMBDA_RUNTIME_API: api.address,
      _HANDLER: 'index.handler',
      LAMBDA_TASK_ROOT: directory,
      FILES_DIR: directory,
      AWS_REGION: 'eu-west-1',
      AWS_ACCESS_KEY_ID: 'local',
      AWS_SECRET_ACCESS_KEY: 'local',
      AWS_SESSION_TOKEN: 'local',
      AWS_EXECUTION_ENV: 'AWS_Lambda_nodejs24.x',
      AWS_LAMBDA_FUNCTION_NAME: name,
      AWS_LAMBDA_FUNCTION_VERSION: '$LATEST',
      AWS_LAMBDA_FUNCTION_MEMORY_SIZE: '1024',
      AWS_LAMBDA_LOG_GROUP_NAME: `/aws/lambda/${name}`,
      AWS_LAMBDA_LOG_STREAM_NAME: 'local',
      AWS_LAMBDA_LOG_FORMAT: 'JSON',
      POWERTOOLS_SERVICE_NAME: id.split('.')[0],
      POWERTOOLS_METRICS_NAMESPACE: 'Vouchsafe/dev',
      ALLOWED_ORIGINS: '[]',
    },
  });
  const output: string[] = [];
  for (const stream of [child.stdout, child.stderr]) stream.on('data', (text) => output.push(String(text)));
  const ended = new Promise<Outcome>((resolve) => {
    child.once('exit', (code) => resolve({ kind: 'init error', body: `exit ${code}: ${output.join('')}` }));
  });
  try {
    return await Promise.race([api.outcome, ended]);
  } finally {
    child.kill();
    await api.close();
  }
}
