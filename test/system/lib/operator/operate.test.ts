import { spawnSync } from 'node:child_process';
import { randomUUID } from 'node:crypto';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { createServer, type RequestListener } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { DynamoDBClient, PutItemCommand } from '@aws-sdk/client-dynamodb';
import { marshall } from '@aws-sdk/util-dynamodb';
import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { keys } from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { listen } from '../../../../lib/local/listen.ts';
import { itemExists } from '../../../../lib/local/table.ts';
import { operate } from '../../../../lib/operator/operate.ts';
import { verbs } from '../../../../lib/operator/verbs.ts';
import packageJson from '../../../../package.json' with { type: 'json' };
import { localOperator, operateHere, project, runProgram } from './program.ts';

const folder = mkdtempSync(join(tmpdir(), 'operate-'));
let operator: Awaited<ReturnType<typeof localOperator>>;
let tableName: string;
let applicationId: string;

beforeAll(async () => {
  operator = await localOperator();
  ({ tableName, applicationId } = operator);
});
afterAll(() => rmSync(folder, { recursive: true }));

const environment = (env: Record<string, string>) => ({
  ...process.env,
  ...operator.env,
  TABLE_NAME: tableName,
  ...env,
});

const run = (args: readonly string[], env: Record<string, string> = {}) =>
  operateHere(args, environment(env));
const runWithProgram = (args: readonly string[], env: Record<string, string> = {}) =>
  runProgram(args, environment(env));

async function json(args: readonly string[]) {
  const { code, out, err } = await run([...args, '--json']);
  expect([code, err]).toEqual([0, '']);
  return JSON.parse(out);
}

const uri = 'https://app.example/callback';

describe('against a running stack', () => {
  test('creates, shows and changes an application, and creates and revokes a key', async () => {
    const settings = join(folder, 'settings.json');
    writeFileSync(settings, '{"paymentGateway":"sandbox"}');
    const made = await json([
      'application',
      'create',
      '--name',
      'CLI',
      '--redirect-uri',
      uri,
      '--settings',
      `@${settings}`,
    ]);
    const { _id } = made.application;
    expect(made).toMatchObject({
      clientSecret: expect.stringMatching(/^vcs_/),
      apiKey: expect.stringMatching(/^vak_/),
    });
    expect(made.application).toMatchObject({ redirectUris: [uri], settings: { paymentGateway: 'sandbox' } });

    await json(['application', 'update', _id, '--name', 'Renamed', '--settings', '{"public":true}', '--yes']);
    const shown = await run(['application', 'show', _id]);
    expect(shown.out).toMatch(/^Application\n {2}ID +app_/);
    expect(shown.out).toContain('Renamed');
    expect(shown.out).not.toContain(made.clientSecret);

    const key = await json(['key', 'create', _id, '--kind', 'api_key', '--expires-in-days', '30']);
    expect((await run(['key', 'create', _id, '--kind', 'api_key'])).code).toBe(1);
    expect(await json(['key', 'revoke', _id, key.keyId, '--yes'])).toEqual({ success: true });
    const { application } = await json(['application', 'show', _id]);
    expect(application.keys).toHaveLength(2);
  });

  test('shows the message and the fields of an API error, and ends with 1', async () => {
    const uris = ['--redirect-uri', uri, '--redirect-uri', 'http://app.example/'];
    const { code, out, err } = await runWithProgram([
      'application',
      'update',
      applicationId,
      ...uris,
      '--yes',
    ]);
    expect([code, out]).toEqual([1, '']);
    expect(err).toMatch(/^400 invalid_request: .+\n {2}redirectUris\[1\]: must be https/);
    expect((await runWithProgram(['user', 'show', 'nobody'])).err).toMatch(/^404 not_found/);
  });

  test('says that a refused key comes from the environment, and never shows it', async () => {
    const unknown = `vok_${'A'.repeat(22)}`;
    const { code, out, err } = await runWithProgram(['user', 'show', 'x'], {
      VOUCHSAFE_OPERATOR_KEY: unknown,
    });
    expect(code).toBe(1);
    expect(err).toMatch(/^401 invalid_token/);
    expect(err).toContain('VOUCHSAFE_OPERATOR_KEY');
    expect(out + err).not.toContain(unknown);
  });

  test('bootstrap creates a working key, of which the table stores the hash', async () => {
    const program = await runWithProgram(['bootstrap', '--name', 'Olga', '--expires-in-days', '1', '--json']);
    expect([program.code, program.err]).toEqual([0, '']);
    const made = JSON.parse(program.out);
    expect(made).toEqual({
      keyId: expect.stringMatching(/^key_/),
      operatorKey: expect.stringMatching(/^vok_[\w-]{22}$/),
    });
    const endpoint = process.env.AWS_ENDPOINT_URL_DYNAMODB ?? '';
    expect(
      await itemExists(endpoint, tableName, keys.secret('operator_key', secretHash(made.operatorKey))),
    ).toBe(true);
    const { code } = await run(['application', 'show', applicationId], {
      VOUCHSAFE_OPERATOR_KEY: made.operatorKey,
    });
    expect(code).toBe(0);
    const nowhere = await run(['bootstrap', '--name', 'Olga', '--table', 'nowhere']);
    expect([nowhere.code, nowhere.out]).toEqual([1, '']);
    expect(nowhere.err).toContain('There is no table nowhere');
    expect((await run(['bootstrap', '--name', 'Olga'], { TABLE_NAME: '' })).code).toBe(2);
  });

  test('retire revokes the key of the environment after asking', async () => {
    const { operatorKey: key } = await json(['bootstrap', '--name', 'Olga']);
    const ownKey = { VOUCHSAFE_OPERATOR_KEY: key };
    expect((await run(['retire'], ownKey)).code).toBe(2);
    const retired = await runWithProgram(['retire', '--yes'], ownKey);
    expect([retired.code, retired.err]).toEqual([0, '']);
    expect((await run(['application', 'show', applicationId], ownKey)).code).toBe(1);
    const again = await run(['retire', '--yes'], ownKey);
    expect([again.code, again.err]).toEqual([1, `The table ${tableName} has no such operator key.\n`]);
    expect((await run(['retire', '--yes'], { VOUCHSAFE_OPERATOR_KEY: '' })).code).toBe(2);
  });

  test('lists the grants of a user, and revokes one after asking', async () => {
    const userId = `cli-${randomUUID()}`;
    const profile = ['--email', `${userId}@example.com`, '--name', 'Ann', '--status', 'active', '--verified'];
    await json(['user', 'put', userId, ...profile]);
    const grantId = `gnt_${'0'.repeat(26)}`;
    const item = {
      ...keys.grant(userId, grantId),
      familyId: grantId,
      userId,
      applicationId,
      scopes: ['profile'],
      createdAtMs: Date.now(),
      currentHash: '0'.repeat(64),
      accessTokens: [],
    };
    const dynamodb = new DynamoDBClient();
    await dynamodb.send(new PutItemCommand({ TableName: tableName, Item: marshall(item) }));
    dynamodb.destroy();
    expect((await json(['grant', 'list', userId, '--limit', '5'])).grants).toEqual([
      expect.objectContaining({ id: grantId, applicationId, scopes: ['profile'] }),
    ]);
    expect((await run(['grant', 'revoke', userId, grantId])).err).toContain('Use --yes to confirm');
    expect(await json(['grant', 'revoke', userId, grantId, '--yes'])).toEqual({ success: true });
    expect((await json(['grant', 'list', userId])).grants).toEqual([]);
    expect((await run(['grant', 'revoke', 'nobody', grantId, '--yes'])).err).toMatch(/^404 not_found/);
  });
});

describe('the program, used incorrectly, ends with 2 and shows its usage', () => {
  test.each([
    [[], 'application create, application show'],
    [['frobnicate'], 'There is no such verb.'],
    [['key', 'crate', 'app_1'], 'Did you mean key create?'],
    [['bootstrap', '--table', 't'], 'Missing: --name'],
    [['key', 'create', '--kind', 'api_key'], 'Missing: <application>'],
    [['key', 'create', 'app_1', '--kind', 'operator_key'], '--kind must be client_secret or api_key'],
    [['key', 'revoke', 'app_1', 'key_1', 'key_2', '--yes'], 'an argument too many'],
    [['key', 'revoke', 'app_1', ''], 'An argument is empty'],
    [
      ['user', 'put', 'u', '--email', 'a@b.example', '--name', 'A', '--status', 'active'],
      '--verified | --no-verified',
    ],
    [['plan', 'update', 'app_1', 'pln_1', '--price', 'nine'], '--price must be a number'],
    [['application', 'create', '--name', 'A', '--settings', '@/nowhere.json'], 'a file that cannot be read'],
    [['user', 'show', 'u', '--key=vok_secret'], "Unknown option '--key'"],
    [['user', 'show', 'u', '--url', 'http://api.example.com'], 'use https'],
    [['user', 'show', 'u', '--url', 'nowhere'], '--url'],
    [['user', 'show', 'u', '--url', 'https://:p@a.example'], '--url'],
    [['user', 'show', 'u', '--url', 'https://a.example#x'], '--url'],
  ])('%j', async (args, reason) => {
    const said: string[] = [];
    const terminal = {
      env: { VOUCHSAFE_OPERATOR_KEY: `vok_${'A'.repeat(22)}` },
      out: () => {},
      ask: undefined,
    };
    expect(await operate(args, { ...terminal, say: (text) => said.push(text) })).toBe(2);
    expect(said.join('')).toContain(reason);
    expect(said.join('')).toContain('--help');
    expect(said.join('')).not.toContain('vok_secret');
  });
});

test('retire names --yes in its help, and every program its version', async () => {
  expect((await runWithProgram(['retire', '--help'])).out).toMatch(/-y, --yes +does not ask/);
  const { version } = packageJson;
  expect(await runWithProgram(['--version'])).toEqual({ code: 0, out: `${version}\n`, err: '' });
  for (const program of ['openapi', 'new-endpoint', 'local']) {
    const { status, stdout } = spawnSync(process.execPath, [`bin/${program}.ts`, '--version'], {
      cwd: project,
    });
    expect([program, status, String(stdout)]).toEqual([program, 0, `${version}\n`]);
  }
});

describe('with --json, an error is an object on standard error', () => {
  const failed = async (args: readonly string[], env?: Record<string, string>, as = run) => {
    const { code, out, err } = await as([...args, '--json'], env);
    expect(out).toBe('');
    return { code, error: JSON.parse(err).error };
  };

  test('of the API: code, message, status, details, and what to do next', async () => {
    const wrong = ['application', 'update', applicationId, '--redirect-uri', 'http://app.example/', '--yes'];
    expect(await failed(wrong)).toEqual({
      code: 1,
      error: {
        code: 'invalid_request',
        status: 400,
        message: expect.stringContaining('400 invalid_request'),
        details: { 'redirectUris[0]': expect.stringContaining('must be https') },
        next: expect.stringContaining('details'),
      },
    });
  });

  test('of the command line, the table and the network', async () => {
    const usage = {
      code: 2,
      error: { code: 'usage', message: expect.any(String), next: expect.any(String) },
    };
    expect(await failed(['frobnicate'], {}, runWithProgram)).toEqual(usage);
    expect(await failed(['user', 'show'])).toEqual(usage);
    expect(await failed(['user', 'show', 'u'], { VOUCHSAFE_OPERATOR_KEY: '' })).toEqual(usage);
    const { error } = await failed(['user', 'show', 'u'], { VOUCHSAFE_URL: 'http://127.0.0.1:9' });
    expect(error).toMatchObject({ code: 'unreachable', next: expect.stringContaining('npm start') });
    expect((await failed(['bootstrap', '--name', 'Olga', '--table', 'nowhere'])).error.code).toBe(
      'table_not_found',
    );
  });
});

test('help shows every verb, and each verb its options', async () => {
  const { code, out } = await run(['--help']);
  expect(code).toBe(0);
  for (const { name, options = {} } of verbs) {
    expect(out).toContain(`  ${name}`);
    const shown = await new Promise<string>((resolve) => {
      void operate([...name.split(' '), '--help'], { env: {}, out: resolve, say: () => {}, ask: undefined });
    });
    for (const option of Object.keys(options)) expect(shown).toContain(`--${option} `);
  }
});

test('every operator route has a verb, and every verb a route with its fields', () => {
  const line = (method: string, path: string) => `${method} ${path.replaceAll(/\{\w+\}/g, '{}')}`;
  const routes = new Map(
    registeredRoutes()
      .filter(({ route }) => ['operator', 'application', 'seller'].includes(route.auth))
      .map(({ route }) => [line(route.method, route.path), route]),
  );
  // What sellers alone do, such as to read a list as CSV, may have no verb.
  const needed = [...routes].filter(([, { auth }]) => auth !== 'seller').map(([name]) => name);
  const named = verbs.map(({ method, path }) => line(method, path));
  expect([...routes.keys()]).toEqual(expect.arrayContaining(named));
  expect(named).toEqual(expect.arrayContaining(needed));
  for (const { name, method, path, options = {}, fixed = {} } of verbs) {
    const route = routes.get(line(method, path));
    const known = Object.keys((method === 'GET' ? route?.query : route?.body)?.shape ?? {});
    const fields = [...Object.values(options).map(({ field }) => field), ...Object.keys(fixed)];
    expect(known, name).toEqual(expect.arrayContaining(fields));
    // A field named --url would send the key elsewhere.
    for (const common of ['url', 'json', 'help', 'yes']) expect(options, name).not.toHaveProperty(common);
  }
});

describe('without a valid server', () => {
  const show = (VOUCHSAFE_URL: string) => run(['user', 'show', 'u'], { VOUCHSAFE_URL });

  test('it follows no redirect with the key, and accepts no page as a response', async () => {
    const seen: (string | undefined)[] = [];
    const other = await listen(
      createServer((request, response) => {
        seen.push(request.url);
        response.writeHead(307, { location: '/elsewhere' }).end('<html>');
      }),
      0,
    );
    const { code, err } = await show(other.url);
    await other.close();
    expect([code, seen]).toEqual([1, ['/api/operator/users/u']]);
    expect(err).toContain('not as Vouchsafe does');
  });
});

describe('in this process, against another server', () => {
  /** Runs a command against a server with one listener. */
  const runHere = async (listener: RequestListener, ...args: string[]) => {
    const { url, close } = await listen(createServer(listener), 0);
    const env = { VOUCHSAFE_URL: url, VOUCHSAFE_OPERATOR_KEY: 'vok_secret' };
    const ran = await operateHere(['review', 'list', ...args], env);
    await close();
    return ran;
  };
  const begins: RequestListener = (_, response) => {
    response.writeHead(200, { 'content-length': 1000 }).write('{');
  };
  const breaks: RequestListener = (request, response) => {
    begins(request, response);
    setTimeout(() => response.destroy(), 20);
  };

  test('a connection that breaks within the body is an error, and the command may have been executed', async () => {
    const { code, out, err } = await runHere(breaks, '--json');
    expect([code, out]).toEqual([1, '']);
    expect(JSON.parse(err).error).toEqual({
      code: 'unreachable',
      message: expect.stringContaining('broke'),
      next: expect.stringContaining('may have been executed'),
    });
    expect((await runHere(breaks)).err).toMatch(/broke.*\n.*may have been executed/);
    const closed = await runHere((_, response) => response.destroy(), '--json');
    expect(JSON.parse(closed.err).error.next).toContain('may have been executed');
  });

  test('a timeout within the body is an error', async () => {
    const timeout = AbortSignal.timeout.bind(AbortSignal);
    vi.spyOn(AbortSignal, 'timeout').mockImplementation(() => timeout(100));
    const { code, err } = await runHere(begins, '--json').finally(() => vi.restoreAllMocks());
    expect([code, JSON.parse(err).error.code]).toEqual([1, 'timeout']);
  });

  test.each([
    { error: 'a\nforged', message: 'b\nforged', details: { 'c\nforged': 'd\nforged' } },
    { error: { toString: 1 }, message: { toString: 1 }, details: null },
    { error: 'constructor', details: 'text' },
  ])('the texts of an error %j stay on their lines', async (error) => {
    const { code, err } = await runHere((_, response) => response.writeHead(400).end(JSON.stringify(error)));
    expect(code).toBe(1);
    expect(err).not.toMatch(/^forged/m);
    const json = await runHere((_, response) => response.writeHead(400).end(JSON.stringify(error)), '--json');
    expect(JSON.parse(json.err).error.next).toContain('Search the logs');
  });
});

describe('the confirmation of a revocation', () => {
  const revocation = async (answer: string | undefined) => {
    const { keyId } = await json(['key', 'create', applicationId, '--kind', 'client_secret']);
    const { code } = await operator.run(['key', 'revoke', applicationId, keyId], answer);
    const { application } = await json(['application', 'show', applicationId]);
    const isThere = application.keys.some((key: { keyId: string }) => key.keyId === keyId);
    if (isThere) await json(['key', 'revoke', applicationId, keyId, '--yes']);
    return { code, isThere };
  };

  test.each([
    ['Y', 0],
    [' yes ', 0],
    ['', 1],
    ['yess', 1],
    // Without a terminal it needs --yes.
    [undefined, 2],
  ])('%j ends with %i', async (answer, code) => {
    expect(await revocation(answer)).toEqual({ code, isThere: code !== 0 });
  });
});
