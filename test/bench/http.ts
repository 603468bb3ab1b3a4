import { type ChildProcess, spawn } from 'node:child_process';
import { Agent, request } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { sharePayload } from '../support/samples.ts';
import { printTable, round } from './print.ts';

const shares = 2_000;
const concurrency = 16;

/** Creates and burns shares over HTTP on a stack of its own, each creation from another loopback address. */
export async function benchHttp(): Promise<void> {
  const startedAt = performance.now();
  const { child, url } = await startServer();
  const readyMs = performance.now() - startedAt;
  try {
    const ids: string[] = [];
    const creating = await timed(async (n) => {
      // 5 creations a minute are allowed from one address; Linux answers on all of 127.0.0.0/8.
      const localAddress = `127.1.${(n >> 8) & 255}.${n & 255}`;
      const answer = await ask(url, 'POST', '/api/share', localAddress, JSON.stringify(sharePayload));
      ids.push(answer.shareId);
    });
    const burning = await timed(async (n) => {
      const answer = await ask(url, 'GET', `/api/share?id=${ids[n]}`, '127.0.0.1');
      if (answer.data_blob !== sharePayload.data_blob) throw new Error('A share came back changed');
    });
    printTable(
      `Over HTTP on this machine, ${concurrency} at a time, data in memory`,
      ['what', 'figure', 'budget'],
      [
        ['npm start until ready', `${round(readyMs, 0)} ms`, '3000 ms'],
        ['shares created', `${round(shares / creating, 0)} per second`, '-'],
        ['shares burned', `${round(shares / burning, 0)} per second`, '-'],
      ],
    );
  } finally {
    child.kill('SIGTERM');
  }
}

async function timed(one: (n: number) => Promise<void>): Promise<number> {
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async () => {
      for (let n = next++; n < shares; n = next++) await one(n);
    }),
  );
  return (performance.now() - start) / 1000;
}

async function startServer(): Promise<{ child: ChildProcess; url: string }> {
  const port = 20_000 + (process.pid % 20_000);
  const program = join(import.meta.dirname, '../../bin/local.ts');
  const environment: NodeJS.ProcessEnv = { ...process.env, PORT: String(port), DATA_DIR: ':memory:' };
  delete environment.AWS_ENDPOINT_URL_DYNAMODB;
  delete environment.TABLE_NAME;
  const child = spawn(process.execPath, [program], {
    env: environment,
    stdio: ['ignore', 'ignore', 'inherit'],
  });
  const url = `http://127.0.0.1:${port}`;
  for (let i = 0; i < 400; i += 1) {
    const health = await fetch(`${url}/_local/health`).catch(() => undefined);
    if (health?.ok) return { child, url };
    await new Promise((resolve) => setTimeout(resolve, 25));
  }
  child.kill('SIGTERM');
  throw new Error('The local stack did not get ready');
}

const agents = new Map<string, Agent>();

function ask(url: string, method: string, path: string, localAddress: string, body?: string) {
  const agent = agents.get(localAddress) ?? new Agent({ keepAlive: localAddress === '127.0.0.1' });
  if (localAddress === '127.0.0.1') agents.set(localAddress, agent);
  const headers = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise<{ shareId: string; data_blob: string }>((resolve, reject) => {
    const sent = request(url + path, { method, localAddress, agent, headers }, async (response) => {
      const chunks: Buffer[] = [];
      for await (const chunk of response) chunks.push(chunk);
      if (response.statusCode !== 200)
        reject(new Error(`${method} ${path.slice(0, 10)} answered ${response.statusCode}`));
      else resolve(JSON.parse(Buffer.concat(chunks).toString()));
    });
    sent.on('error', reject);
    sent.end(body);
  });
}
