/** The examples for curl are pasted into a shell beside a local stack, with the ids and keys of its demo data. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
import { afterAll, beforeAll, expect, test } from 'vitest';
import { withInlineObjects } from '../../../../lib/openapi/components.ts';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { curlExample } from '../../../../lib/reference/examples/curl.ts';
import { reasonNotToRun } from '../../../../lib/reference/examples/reasons-not-to-run.ts';
import { exampleRequest } from '../../../../lib/reference/examples/request.ts';
import { filled } from '../../../../lib/reference/script/fill.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { startSubscriptionStack } from '../../../support/subscriptions/stack.ts';

const document = withInlineObjects(openApiDocument({ version: packageJson.version }));
const operations = Object.entries(document.paths).flatMap(([path, methods]) =>
  Object.entries(methods).map(([method, operation]) => ({
    id: operation.operationId,
    reason: reasonNotToRun(operation),
    request: exampleRequest(method.toUpperCase(), path, operation, document.components.securitySchemes ?? {}),
  })),
);
/** A record of the demo data can be in another state than the example needs: each can be a conflict, and nothing else. */
const conflicting: ReadonlySet<string> = new Set([
  'createSubscription',
  'writeVault',
  'applyPayment',
  'returnPayment',
]);

const last = [
  'getCreditNote',
  'pauseSubscription',
  'resumeSubscription',
  'cancelSubscription',
  'uncancelSubscription',
];

/** Reads come first, then what creates, and last what ends something. */
const rank = ({ id }: { id: string }) => {
  if (last.includes(id)) return 3 + last.indexOf(id);
  if (/^(get|list|open|show|check|preview)/.test(id)) return 0;
  return /^(delete|burn|reset|revoke|return)/.test(id) ? 2 : 1;
};
const ordered = operations.filter(({ reason }) => reason === undefined).sort((a, b) => rank(a) - rank(b));

let stack: Awaited<ReturnType<typeof startSubscriptionStack>>;
beforeAll(async () => {
  stack = await startSubscriptionStack();
});
afterAll(() => stack?.stop());

const run = promisify(execFile);

test('every example that names what exists is answered with a success', { timeout: 600_000 }, async () => {
  const refused: string[] = [];
  let values: Record<string, string> | undefined;
  let changes = false;
  for (const { id, request } of ordered) {
    // A read leaves all as it was.
    if (values === undefined || changes) {
      const response = await fetch(`${stack.url}/_local/examples`);
      expect(response.status, id).toBe(200);
      values = (await response.json()) as Record<string, string>;
    }
    changes = request.method !== 'GET';
    const command = filled(curlExample(request), values);
    const script = `api=${stack.url}\n${command} -s -w '\\n%{http_code}'`;
    const { stdout } = await run('/bin/sh', ['-c', script]);
    const status = Number(stdout.slice(stdout.lastIndexOf('\n') + 1));
    const isExpected = conflicting.has(id) && status === 409;
    if ((status < 200 || status >= 400) && !isExpected)
      refused.push(`${id}: ${command}\n${stdout.slice(0, 300)}`);
  }
  expect(refused.join('\n\n')).toBe('');
});

test('no example ends what the demo data is for, or is refused after another one', async () => {
  const valuesOf = async () =>
    (await (await fetch(`${stack.url}/_local/examples`)).json()) as Record<string, string>;
  const runOf = async (id: string, values: Record<string, string>) => {
    const request = operations.find((one) => one.id === id)?.request;
    if (request === undefined) throw new Error(`There is no ${id}`);
    const script = `api=${stack.url}\n${filled(curlExample(request), values)} -s -w '\\n%{http_code}'`;
    const { stdout } = await run('/bin/sh', ['-c', script]);
    return stdout.split('\n').at(-1);
  };
  for (const id of ['updateApplication', 'resetUser', 'upsertUser', 'resetUser', 'upsertUser'])
    expect(await runOf(id, await valuesOf()), id).toBe('200');
  expect(await runOf('getVault', await valuesOf())).toBe('200');
  const read = async (path: string, key = '') => {
    const response = await fetch(`${stack.url}${path}`, { headers: { authorization: `Bearer ${key}` } });
    return response.text();
  };
  const demo = JSON.parse(await read('/_local/demo'));
  const gateway = await read(`/api/operator/applications/${demo.applications.gateway._id}`, demo.operatorKey);
  expect(JSON.parse(gateway).application.settings.paymentGateway).toBe('sandbox');
});
