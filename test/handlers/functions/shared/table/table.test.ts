import { once } from 'node:events';
import { createServer, type ServerResponse } from 'node:http';
import { secretsManager } from '../../../../../functions/payments/stripe/keys.ts';
import { sfn } from '../../../../../functions/shared/lambda/executions.ts';
import { secondMs } from '../../../../../functions/shared/runtime/clock.ts';
import { dynamodb } from '../../../../../functions/shared/table/client.ts';

/** How the table treats the first attempts of the call for an item. The attempts after them get an empty response. */
const stalls: Record<string, { attempts: number; stall: (response: ServerResponse) => void }> = {
  silent: { attempts: 3, stall: () => undefined },
  halfway: { attempts: 1, stall: sendHalf },
  'never-whole': { attempts: 3, stall: sendHalf },
  // Each byte comes in time, the last one never does.
  dripping: {
    attempts: 1,
    stall: (response) => {
      sendHalf(response);
      const drip = setInterval(() => response.write(' '), 100);
      response.on('close', () => clearInterval(drip));
    },
  },
};
/** Attempts, and of these the ones whose connection the client closed, by the item. */
const attempts: Record<string, number> = {};
const closed: Record<string, number> = {};

function sendHalf(response: ServerResponse): void {
  response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0', 'content-length': 10_000 });
  response.write('{"Item":{"pk"');
}

const stalled = createServer((request, response) => {
  let body = '';
  request.on('data', (chunk) => {
    body += chunk;
  });
  request.on('end', () => {
    const [, item = ''] = /"S":"SHARE#([\w-]+)"/.exec(body) ?? [];
    attempts[item] = (attempts[item] ?? 0) + 1;
    response.on('close', () => {
      if (!response.writableFinished) closed[item] = (closed[item] ?? 0) + 1;
    });
    const { attempts: stalledAttempts = 0, stall } = stalls[item] ?? {};
    if (attempts[item] <= stalledAttempts) stall?.(response);
    else response.writeHead(200, { 'content-type': 'application/x-amz-json-1.0' }).end('{}');
  });
});
const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB;
let getItem: (key: { pk: string; sk: string }) => Promise<unknown>;

beforeAll(async () => {
  stalled.listen(0, '127.0.0.1');
  await once(stalled, 'listening');
  const address = stalled.address();
  if (address === null || typeof address === 'string') throw new Error('No port');
  process.env.AWS_ENDPOINT_URL_DYNAMODB = `http://127.0.0.1:${address.port}`;
  // A client keeps its first endpoint, and after the reset the connection is the SDK's own.
  vi.resetModules();
  ({ getItem } = await import('../../../../../functions/shared/table/table.ts'));
});

afterAll(() => {
  process.env.AWS_ENDPOINT_URL_DYNAMODB = endpoint;
  vi.resetModules();
  stalled.closeAllConnections();
  stalled.close();
});

/** The time limits of the client run four times as fast. */
const fasterBy = 4;
const { setTimeout: setTimer } = globalThis;
beforeAll(() => {
  vi.stubGlobal('setTimeout', (work: () => void, ms = 0) =>
    setTimer(work, ms < secondMs ? ms : ms / fasterBy),
  );
  return () => vi.unstubAllGlobals();
});

const read = (item: string) => getItem({ pk: `SHARE#${item}`, sk: 'HEAD' });

// They wait at the same time.
describe.concurrent('a table', () => {
  test('that never responds is tried three times, long before the function times out', async () => {
    const startedMs = performance.now();
    await expect(read('silent')).rejects.toThrow('requestTimeout');
    expect(attempts.silent).toBe(3);
    expect(performance.now() - startedMs).toBeLessThan((25 * secondMs) / 2 / fasterBy);
  });

  test('that stops within a body is tried again, on another connection', async () => {
    expect(await read('halfway')).toBeUndefined();
    expect(attempts.halfway).toBe(2);
    expect(closed.halfway).toBe(1);
  });

  test('that sends a body too slowly is tried again', async () => {
    expect(await read('dripping')).toBeUndefined();
    expect(attempts.dripping).toBe(2);
    expect(closed.dripping).toBe(1);
  });

  test('that stops within every body is tried three times, long before the function times out', async () => {
    const startedMs = performance.now();
    await expect(read('never-whole')).rejects.toThrow('not complete after 3000 ms');
    expect(attempts['never-whole']).toBe(3);
    await vi.waitFor(() => expect(closed['never-whole']).toBe(3));
    expect(performance.now() - startedMs).toBeLessThan((25 * secondMs) / 2 / fasterBy);
  });
});

test('the clients of the table, the timers and the secrets limit each attempt', () => {
  for (const client of [dynamodb, sfn, secretsManager])
    expect(client.middlewareStack.identify().join()).toContain('attemptLimit');
});
