import { Agent, request } from 'node:http';
import { performance } from 'node:perf_hooks';

export const concurrency = 16;

/** A request that must get a 200 or 201. */
export interface Request {
  method: string;
  path: string;
  headers?: Record<string, string>;
  body?: unknown;
}

// biome-ignore lint/suspicious/noExplicitAny: bodies of several routes, whose shapes are known.
export type ResponseBody = any;

/**
 * Sends requests from concurrent workers, each in sequence. Limits count addresses, so each worker changes to another
 * loopback address, with a new connection, after `perAddress` requests. Linux accepts all of 127.0.0.0/8.
 *
 * @param perAddress number of requests that one address may send.
 * @param network the second number of the addresses, different for each load.
 * @returns requests per second.
 */
export async function load(
  url: string,
  { count, perAddress, network }: { count: number; perAddress: number; network: number },
  one: (n: number) => [Request, (body: ResponseBody) => void],
): Promise<number> {
  const start = performance.now();
  let next = 0;
  await Promise.all(
    Array.from({ length: concurrency }, async (_, worker) => {
      let agent = new Agent({ keepAlive: true });
      for (let sent = 0, n = next++; n < count; sent += 1, n = next++) {
        if (sent % perAddress === 0) {
          agent.destroy();
          agent = new Agent({ keepAlive: true, maxSockets: 1 });
        }
        const localAddress = `127.${network}.${worker}.${Math.floor(sent / perAddress) + 1}`;
        const [toSend, check] = one(n);
        check(await ask(url, toSend, { agent, localAddress }));
      }
      agent.destroy();
    }),
  );
  return count / ((performance.now() - start) / 1000);
}

/** Sends one request from an address. @returns the parsed body. */
export function ask(
  url: string,
  { method, path, headers, body }: Request,
  from: { agent?: Agent; localAddress: string },
): Promise<ResponseBody> {
  const typed = body === undefined ? {} : { 'content-type': 'application/json' };
  return new Promise((resolve, reject) => {
    const sent = request(
      url + path,
      { method, headers: { ...typed, ...headers }, ...from },
      async (response) => {
        const chunks: Buffer[] = [];
        for await (const chunk of response) chunks.push(chunk);
        const text = Buffer.concat(chunks).toString();
        if ([200, 201].includes(response.statusCode ?? 0)) resolve(JSON.parse(text));
        else reject(new Error(`${method} ${path.slice(0, 20)} answered ${response.statusCode}: ${text}`));
      },
    );
    sent.on('error', reject);
    sent.end(body === undefined ? undefined : JSON.stringify(body));
  });
}
