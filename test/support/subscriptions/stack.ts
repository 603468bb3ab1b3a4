import { spawn } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { once } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { fileURLToPath } from 'node:url';
import type { z } from 'zod/mini';
import { defined } from '../../../functions/shared/contract/defined.ts';
import type { OneSubscription } from '../../../functions/subscriptions/schemas.ts';
import { comparingResponses } from '../documentation/module.ts';

/** A response. */
export interface Answer {
  status: number;
  headers: Headers;
  // biome-ignore lint/suspicious/noExplicitAny: a test reads any response.
  body: any;
}

export interface SentMail {
  to: string[];
  subject: string;
  text: string;
  html: string;
  sentAt: string;
  attachments: { filename: string }[];
}

type Read = z.output<typeof OneSubscription>['subscription'];

/** An application, and the calls that it makes. */
export interface Subscriber {
  _id: string;
  apiKey: string;
  call(method: string, path: string, body?: unknown, headers?: Record<string, string>): Promise<Answer>;
  /** @returns the plan's id. */
  plan(fields?: object): Promise<string>;
  /** Registers a client of that name, whose mails go to `<name>@example.com`. */
  client(externalId: string): Promise<string>;
  /** Creates a subscription, with return URLs by default. @returns its id and the response. */
  subscribe(externalId: string, planId: string, more?: object): Promise<{ id: string } & Answer>;
  read(id: string): Promise<Read>;
  current(externalId: string): Promise<Read>;
}

/** The HTTP client of a local stack. @param url of the stack. */
export function subscriptionClient(url: string) {
  const send = async (path: string, init: RequestInit = {}): Promise<Answer> => {
    const response = await fetch(url + path, { redirect: 'manual', ...init });
    const text = await response.text();
    const isJson = response.headers.get('content-type')?.startsWith('application/json') ?? false;
    return {
      status: response.status,
      headers: response.headers,
      body: isJson ? JSON.parse(text) : text,
    };
  };
  const sendJson = (method: string, path: string, body?: unknown, headers: Record<string, string> = {}) =>
    send(path, {
      method,
      headers: {
        ...defined({ 'content-type': body === undefined ? undefined : 'application/json' }),
        ...headers,
      },
      ...defined({ body: typeof body === 'string' || body === undefined ? body : JSON.stringify(body) }),
    });
  const demo = async () => (await send('/_local/demo')).body;
  const asOperator = async (method: string, path: string, body?: unknown) => {
    const authorization = `Bearer ${(await demo()).operatorKey}`;
    return sendJson(method, `/api/operator/applications${path}`, body, { authorization });
  };

  const known = (_id: string, apiKey: string): Subscriber => {
    const call: Subscriber['call'] = (method, path, body, headers) =>
      sendJson(method, path, body, { authorization: `Bearer ${apiKey}`, ...headers });
    const returnTo = { successUrl: 'https://app.example/thanks', cancelUrl: 'https://app.example/plans' };
    return {
      _id,
      apiKey,
      call,
      plan: async (fields) => {
        const plan = { name: 'Plan', price: 10, currency: 'EUR', billingCycle: 'monthly', ...fields };
        return expected(201, await asOperator('POST', `/${_id}/plans`, plan)).body.plan._id;
      },
      client: async (externalId) => {
        const client = { externalId, email: `${externalId}@example.com` };
        expected(201, await call('POST', '/clients', client));
        return externalId;
      },
      subscribe: async (externalId, planId, more) => {
        const body = { externalId, planId, ...returnTo, ...more };
        const answer = expected(201, await call('POST', '/subscriptions', body));
        return { id: answer.body.subscription._id, ...answer };
      },
      read: async (id) => expected(200, await call('GET', `/subscriptions/${id}`)).body.subscription,
      current: async (externalId) =>
        expected(200, await call('GET', `/subscriptions/current?externalId=${externalId}`)).body.subscription,
    };
  };

  return {
    url,
    send,
    sendJson,
    demo,
    asOperator,
    known,
    /** Creates an application with these settings. */
    application: async (settings: object = {}, name = 'Seller'): Promise<Subscriber> => {
      const body = { name, redirectUris: ['https://app.example/back'], settings };
      const { application, apiKey } = expected(201, await asOperator('POST', '', body)).body;
      return known(application._id, apiKey);
    },
    /** Moves the clock to a time; work that is due on the way runs at its own time. */
    clockTo: async (iso: string) => {
      expected(200, await sendJson('POST', '/_local/clock', { now: iso }));
    },
    clockBy: async (seconds: number) => {
      expected(200, await sendJson('POST', '/_local/clock', { advanceSeconds: seconds }));
    },
    now: async (): Promise<number> => Date.parse((await send('/_local/clock')).body.now),
    /** Oldest first. */
    mails: async (to: string): Promise<SentMail[]> =>
      (await send(`/_local/mailbox?to=${encodeURIComponent(to)}`)).body.messages.toReversed(),
    /** Submits a button of an invoice's payment page. */
    choose: (checkoutUrl: string, action: 'pay' | 'cancel' | 'reverse') =>
      send(new URL(checkoutUrl).pathname, {
        method: 'POST',
        headers: { 'content-type': 'application/x-www-form-urlencoded' },
        body: `action=${action}`,
      }),
  };
}

function expected(status: number, answer: Answer): Answer {
  if (answer.status !== status) {
    throw new Error(`${answer.status} instead of ${status}: ${JSON.stringify(answer.body)}`);
  }
  return answer;
}

/** A local stack in a process of its own, because SDK clients keep their first endpoint for the life of a process. */
export interface StackProcess {
  /** The URL of the stack. */
  url: string;
  /** Ends it, and waits until it has. */
  end(signal: 'SIGINT' | 'SIGTERM' | 'SIGKILL'): Promise<void>;
}

const project = fileURLToPath(new URL('../../..', import.meta.url));
/** Ends a process with the one that started it, however that ends. */
const endWithParent = 'data:text/javascript,process.stdin.on("end",()=>process.kill(process.pid)).resume()';

/** `npm start` without npm, on any free port, without the AWS settings of the suite. It ends with this process. */
export async function spawnStack(env: Record<string, string>): Promise<StackProcess> {
  const inherited = Object.entries(process.env).filter(
    ([name]) => !/^(AWS_|TABLE_NAME|POWERTOOLS_|FILES_|TIMER_|STRIPE_)/.test(name),
  );
  const child = spawn(process.execPath, ['--import', endWithParent, ...comparingResponses, 'bin/local.ts'], {
    cwd: project,
    env: { ...Object.fromEntries(inherited), PORT: '0', ...env },
    stdio: ['pipe', 'pipe', 'pipe'],
  });
  let output = '';
  for (const stream of [child.stdout, child.stderr]) {
    stream.on('data', (chunk) => {
      output += chunk;
    });
  }
  const closed = once(child, 'close');
  for (let tries = 0; !output.includes('Ctrl-C ends'); tries += 1) {
    if (tries === 2_000 || child.exitCode !== null) throw new Error(`The stack did not start: ${output}`);
    await sleep(50);
  }
  return {
    // By its address: sites of tests have the name localhost.
    url: (/runs at (http:\/\/\S+)/.exec(output)?.[1] ?? output).replace('localhost', '127.0.0.1'),
    end: async (signal) => {
      child.kill(signal);
      await closed;
    },
  };
}

/** A stack, and the table that it has on the engine of the test run. */
export type StackOfWorker = ReturnType<typeof subscriptionClient> & { tableName: string };

/** Kept beside the modules, which some tests reset. */
const key = Symbol.for('vouchsafe.stack');
const shared = globalThis as { [key]?: Promise<StackOfWorker> };

/**
 * The stack of this worker. All files that move its clock by hours at most share it, one after the other: each keeps to
 * users and applications of its own. It ends with the worker.
 */
export function stackOfWorker(): Promise<StackOfWorker> {
  shared[key] ??= startShared();
  return shared[key];
}

async function startShared(): Promise<StackOfWorker> {
  const tableName = `stack-${randomUUID()}`;
  const { stop: _, ...stack } = await startSubscriptionStack({ TABLE_NAME: tableName });
  return Object.assign(stack, { tableName });
}

/** Starts a stack on the engine of the test run, with a table and a mailbox of its own. */
export async function startSubscriptionStack(env: Record<string, string> = {}) {
  const stack = await spawnStack({
    DATA_DIR: ':memory:',
    TABLE_NAME: `stack-${randomUUID()}`,
    AWS_ENDPOINT_URL_DYNAMODB: process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '',
    ...env,
  });
  return { ...subscriptionClient(stack.url), stop: () => stack.end('SIGTERM') };
}
