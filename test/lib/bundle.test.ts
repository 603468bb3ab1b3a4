import { spawnSync } from 'node:child_process';
import { existsSync, mkdtempSync, readFileSync, rmSync } from 'node:fs';
import { writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, test } from 'vitest';
import { registeredRoutes } from '../../functions/routes.ts';
import { registeredTimers } from '../../functions/timers.ts';
import { type Bundle, bundleFunctions } from '../../lib/bundle.ts';
import { defaultProvider } from '../../lib/env-credentials.ts';
import { proxyEvent, registered } from '../support/call.ts';
import { dashboardMetrics, synthesize } from '../support/deployment.ts';
import { sharePayload } from '../support/samples.ts';

const work = mkdtempSync(join(tmpdir(), 'vouchsafe-bundles-'));
afterAll(() => rmSync(work, { recursive: true, force: true }));

const files = ['openapi.json', 'docs.html', 'invoice-font.ttf'];
const writeFiles = async (directory: string) => {
  await Promise.all(files.map((file) => writeFile(join(directory, file), `the ${file}`)));
};

let bundles: Bundle[];
beforeAll(async () => {
  bundles = await bundleFunctions(join(work, 'bundles'), { writeFiles });
});

const bundleOf = (id: string): Bundle => {
  const found = bundles.find((bundle) => bundle.id === id);
  if (found === undefined) throw new Error(`No bundle ${id}`);
  return found;
};

/** Calls the bundle of a route in a process that has nothing of this project but the bundle. */
function callBundle(id: string, body: unknown, env: Record<string, string | undefined> = {}) {
  const event = proxyEvent(registered(id), { body });
  const script = `
    const { handler } = await import(process.argv[1]);
    const answer = await handler(JSON.parse(process.argv[2]));
    console.log(JSON.stringify({ answer }));`;
  const { AWS_ENDPOINT_URL_DYNAMODB, TABLE_NAME } = process.env;
  const ran = spawnSync(
    process.execPath,
    ['--input-type=module', '-e', script, join(bundleOf(id).directory, 'index.js'), JSON.stringify(event)],
    {
      cwd: work,
      encoding: 'utf8',
      env: {
        AWS_REGION: 'eu-west-1',
        AWS_ACCESS_KEY_ID: 'local',
        AWS_SECRET_ACCESS_KEY: 'local',
        POWERTOOLS_SERVICE_NAME: 'shares',
        POWERTOOLS_METRICS_NAMESPACE: 'Vouchsafe/dev',
        ALLOWED_ORIGINS: '[]',
        AWS_ENDPOINT_URL_DYNAMODB,
        TABLE_NAME,
        ...env,
      },
    },
  );
  expect(ran.status, ran.stderr).toBe(0);
  const lines = ran.stdout.split('\n').filter((line) => line.startsWith('{'));
  const records = lines.map((line) => JSON.parse(line));
  return { answer: records.at(-1).answer, records };
}

/** What a function may weigh that carries more than the SDK: PDF 440 KB, Stripe 250, MIME 140, or the page of the sandbox. */
const heavier: Readonly<Record<string, number>> = {
  'subscriptions.invoice-read': 720_000,
  'subscriptions.checkout-show': 610_000,
  'subscriptions.checkout-submit': 410_000,
  'subscriptions.stripe-webhook': 660_000,
  'subscriptions.run-step': 1_200_000,
  'subscriptions.drain-outbox': 1_150_000,
};

test('every route and timer has a bundle, under the 400 KB that keep a cold start short', () => {
  const registered = [...registeredRoutes(), ...registeredTimers()];
  expect(bundles.map(({ id }) => id)).toEqual(registered.map(({ id }) => id));
  for (const { id, bytes, directory } of bundles) {
    expect(bytes, id).toBeLessThan(heavier[id] ?? 400_000);
    expect(readFileSync(join(directory, 'index.js')).length, id).toBe(bytes);
  }
});

test('leaving out the credential providers that Lambda never uses saves a quarter or more', async () => {
  const registry = [registered('shares.create')];
  const [whole] = await bundleFunctions(join(work, 'whole'), { registry, alias: {} });
  expect(bundleOf('shares.create').bytes).toBeLessThan((whole?.bytes ?? 0) * 0.75);
});

test('the same sources make the same bytes, so that a deployment changes only what changed', async () => {
  const again = await bundleFunctions(join(work, 'again'), { writeFiles });
  for (const { id, directory } of again) {
    const code = readFileSync(join(directory, 'index.js'), 'utf8');
    expect(code === readFileSync(join(bundleOf(id).directory, 'index.js'), 'utf8'), id).toBe(true);
  }
});

describe('files', () => {
  test('are packed beside the functions granted them, and no others', () => {
    for (const { id, route } of registeredRoutes()) {
      for (const file of files) {
        const granted = route.grants.files?.includes(file) ?? false;
        expect(existsSync(join(bundleOf(id).directory, file)), `${id} ${file}`).toBe(granted);
      }
    }
  });

  test('that a route is granted and nothing writes stop the build', async () => {
    const registry = [registered('reference.page')];
    const nothing = bundleFunctions(join(work, 'nothing'), { registry, writeFiles: async () => {} });
    await expect(nothing).rejects.toThrow('reference.page is granted docs.html');
  });
});

test('a bundle does its work with nothing installed beside it', () => {
  const { answer } = callBundle('shares.create', sharePayload);
  expect(answer.statusCode).toBe(200);
  expect(JSON.parse(answer.body)).toMatchObject({ success: true });
});

test('a failure is counted under the name and dimensions that the dashboard shows', () => {
  const unreachable = { AWS_ENDPOINT_URL_DYNAMODB: 'http://127.0.0.1:1' };
  const { answer, records } = callBundle('shares.create', sharePayload, unreachable);
  expect(answer.statusCode).toBe(500);
  const counted = records.find((record) => record._aws !== undefined);
  const [{ Namespace, Dimensions, Metrics }] = counted._aws.CloudWatchMetrics;
  expect(Metrics.map(({ Name }: { Name: string }) => Name)).toEqual(['ServerErrors']);
  expect(Dimensions).toHaveLength(1);
  const published = Dimensions[0].map((name: string) => [name, counted[name]]);

  const shown = dashboardMetrics(synthesize().templates).find(
    ([, name, ...rest]) => name === 'ServerErrors' && rest.includes('POST /api/share'),
  );
  const [namespace, , ...rest] = shown ?? [];
  expect(namespace).toBe(Namespace);
  const pairs = [rest.slice(0, 2), rest.slice(2, 4)];
  expect(Object.fromEntries(pairs)).toEqual(Object.fromEntries(published));
  // Options follow the dimensions.
  expect(rest.slice(4).every((option) => typeof option === 'object')).toBe(true);
});

describe('the credentials of a bundle', () => {
  const names = ['AWS_ACCESS_KEY_ID', 'AWS_SECRET_ACCESS_KEY', 'AWS_SESSION_TOKEN'] as const;
  const before = names.map((name) => [name, process.env[name]] as const);
  const set = (values: Record<string, string | undefined>) => {
    for (const name of names) {
      delete process.env[name];
      if (values[name] !== undefined) process.env[name] = values[name];
    }
  };
  afterAll(() => set(Object.fromEntries(before)));

  test('are those that Lambda sets, session token included', async () => {
    set({ AWS_ACCESS_KEY_ID: 'id', AWS_SECRET_ACCESS_KEY: 'key', AWS_SESSION_TOKEN: 'token' });
    expect(await defaultProvider()()).toEqual({
      accessKeyId: 'id',
      secretAccessKey: 'key',
      sessionToken: 'token',
    });
  });

  test('fail with a clear text when there are none', async () => {
    set({ AWS_ACCESS_KEY_ID: 'id' });
    await expect(defaultProvider()()).rejects.toThrow('no AWS credentials');
  });
});
