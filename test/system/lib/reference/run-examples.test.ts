/** The links of a fresh local stack, and the examples for curl, pasted into a shell beside it with the ids and keys of its demo data. */
import { execFile } from 'node:child_process';
import { promisify } from 'node:util';
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
    request: exampleRequest(method.toUpperCase(), path, operation, document.components.securitySchemes),
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

/** More pages than a fresh stack has. */
const mostPages = 400;
/** Opening a share can use it up. The endpoints of OAuth are named on pages, and no browser opens them by themselves. */
const isNotOpened = (url: URL) => /^\/(api\/share|api\/oauth|oauth)/.test(url.pathname);

/** The links of a page and of the mails in its frames, resolved against its address. */
function linksIn(page: string, base: string): URL[] {
  const text = page.replaceAll('&amp;', '&').replaceAll('&quot;', '"');
  const attributes = [...text.matchAll(/\shref="([^"#]+)/g)].map(([, href = '']) => href);
  const plain = [...text.matchAll(/https?:\/\/(?:localhost|127\.0\.0\.1)[^\s"'<>)]*/g)].map(([url]) => url);
  return [...attributes, ...plain].flatMap((link) => URL.parse(link, base) ?? []);
}

test('every link of every page and mail of a fresh stack leads somewhere', async () => {
  const { port } = new URL(stack.url);
  const isOfThisMachine = ({ hostname }: URL) => ['localhost', '127.0.0.1'].includes(hostname);
  const origin = `http://localhost:${port}`;
  const waiting = ['/', '/_local', '/_local/demo', '/_local/mailbox', '/_local/webhooks'].map(
    (path) => new URL(path, origin),
  );
  const known = new Set(waiting.map(String));
  const dead: string[] = [];
  // With the first view of the page, the demo people get their mail.
  await fetch(`${stack.url}/_local`);
  for (let url = waiting.shift(); url !== undefined; url = waiting.shift()) {
    const response = await fetch(url, { headers: { accept: 'text/html,*/*' } });
    if (response.status >= 400) dead.push(`${response.status} ${url}`);
    const isPage = /^text\/html/.test(response.headers.get('content-type') ?? '');
    const body = isPage ? await response.text() : '';
    for (const link of linksIn(body, response.url)) {
      link.hash = '';
      if (!isOfThisMachine(link) || known.has(String(link)) || known.size >= mostPages) continue;
      known.add(String(link));
      // Port 8080 is that of the client application, which runs elsewhere.
      if (link.port === port && !isNotOpened(link)) waiting.push(link);
      else if (link.port === '') dead.push(`no port ${link} on ${url}`);
    }
  }
  expect(dead).toEqual([]);
  expect([...known].filter((url) => url.includes('/billing/')).length).toBeGreaterThan(3);
});

const shell = promisify(execFile);

/** The status of an example as pasted, and what it prints. */
async function run(request: (typeof operations)[number]['request'], values: Record<string, string>) {
  const script = `api=${stack.url}\n${filled(curlExample(request), values)} -s -w '\\n%{http_code}'`;
  const { stdout } = await shell('/bin/sh', ['-c', script]);
  return { status: Number(stdout.slice(stdout.lastIndexOf('\n') + 1)), script, stdout };
}

async function currentValues(): Promise<Record<string, string>> {
  const { status, body } = await stack.send('/_local/examples');
  expect(status).toBe(200);
  return body;
}

test('every example that names what exists is answered with a success', { timeout: 600_000 }, async () => {
  const refused: string[] = [];
  let values = await currentValues();
  const isAnswered = (id: string, status: number) =>
    (status >= 200 && status < 400) || (conflicting.has(id) && status === 409);
  const runOne = async ({ id, request }: (typeof ordered)[number]) => {
    let { status, script, stdout } = await run(request, values);
    if (!isAnswered(id, status)) {
      // An example before has changed what this one names: the page of the reference shows what exists now.
      values = await currentValues();
      ({ status, script, stdout } = await run(request, values));
    }
    if (!isAnswered(id, status)) refused.push(`${id}: ${script}\n${stdout.slice(0, 300)}`);
  };
  const isRead = (one: (typeof ordered)[number]) => rank(one) === 0 && one.request.method === 'GET';
  // A read leaves all as it was.
  await Promise.all(ordered.filter(isRead).map(runOne));
  for (const one of ordered) if (!isRead(one)) await runOne(one);
  expect(refused.join('\n\n')).toBe('');
});

test('no example ends what the demo data is for, or is refused after another one', async () => {
  const statusOf = async (id: string) => {
    const request = operations.find((one) => one.id === id)?.request;
    if (request === undefined) throw new Error(`There is no ${id}`);
    return (await run(request, await currentValues())).status;
  };
  for (const id of ['updateApplication', 'resetUser', 'upsertUser', 'resetUser', 'upsertUser', 'getVault'])
    expect(await statusOf(id), id).toBe(200);
  const { applications } = await stack.demo();
  const gateway = await stack.asOperator('GET', `/${applications.gateway._id}`);
  expect(gateway.body.application.settings.paymentGateway).toBe('sandbox');
});
