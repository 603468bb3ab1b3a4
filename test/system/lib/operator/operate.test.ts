import { globSync, mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { registeredRoutes } from '../../../../functions/routes.ts';
import * as keys from '../../../../functions/shared/contract/keys.ts';
import { secretHash } from '../../../../functions/shared/contract/secret.ts';
import { openTable } from '../../../../lib/local/table.ts';
import { operationIdOf } from '../../../../lib/openapi/operation-id.ts';
import { commonOptions } from '../../../../lib/operator/arguments.ts';
import { operate, verbs } from '../../../../lib/operator/operate.ts';
import { described } from '../../../../lib/operator/operations.ts';
import { localOperator, operateHere, runProgram } from './program.ts';

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
const runWithProgram = (args: readonly string[]) => runProgram(args, environment({}));

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
    const given = ['--name', 'CLI', '--redirect-uri', uri, '--settings', `@${settings}`];
    const made = await json(['application', 'create', ...given]);
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
    expect((await run(['key', 'create', _id, '--kind', 'api_key'])).code).toBe(5);
    expect(await json(['key', 'revoke', _id, key.keyId, '--yes'])).toEqual({ success: true });
    const { application } = await json(['application', 'show', _id]);
    expect(application.keys).toHaveLength(2);
  });

  test('finds a record by a text, within an application too', async () => {
    const hit = {
      kind: 'application',
      id: applicationId,
      applicationId,
      title: 'Demo Offline',
      summary: expect.any(String),
    };
    expect(await json(['search', applicationId])).toEqual({ hits: [hit] });
    const shown = await run(['search', applicationId]);
    expect([shown.code, shown.err]).toEqual([0, '']);
    expect(shown.out).toContain(applicationId);
    for (const line of shown.out.split('\n')) expect(line.length).toBeLessThanOrEqual(80);
    expect((await run(['search', 'nobody*', '--application', applicationId])).out).toBe('Hits  none\n');
  });

  test('lists applications and users page by page', async () => {
    const first = await json(['application', 'list', '--limit', '1']);
    const second = await json(['application', 'list', '--limit', '1', '--cursor', first.nextCursor]);
    expect(second.applications).toHaveLength(1);
    expect(second.applications).not.toEqual(first.applications);
    const shown = await run(['application', 'list', '--limit', '1']);
    expect(shown.err).toContain('For the next page: --cursor ');
    expect(await json(['user', 'list', '--to', '2020-01-01'])).toEqual({ users: [] });
  });

  test('shows the message and the fields of an API error, and ends with the code of its kind', async () => {
    const uris = ['--redirect-uri', uri, '--redirect-uri', 'http://app.example/'];
    const update = ['application', 'update', applicationId, ...uris, '--yes'];
    const { code, out, err } = await runWithProgram(update);
    expect([code, out]).toEqual([6, '']);
    expect(err).toMatch(/^400 invalid_request: .+\n {2}redirectUris\[1\]: must be https/);
    const nobody = await run(['user', 'show', 'nobody']);
    expect([nobody.code, nobody.err]).toEqual([3, expect.stringMatching(/^404 not_found/)]);
  });

  test('says that a refused key comes from the environment, and never shows it', async () => {
    const unknown = `vok_${'A'.repeat(22)}`;
    const { code, out, err } = await run(['user', 'show', 'x'], { VOUCHSAFE_OPERATOR_KEY: unknown });
    expect(code).toBe(4);
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
    const table = openTable(endpoint, tableName);
    expect(await table.get(keys.secret('operator_key', secretHash(made.operatorKey)))).toBeDefined();
    table.close();
    const { code } = await run(['application', 'show', applicationId], {
      VOUCHSAFE_OPERATOR_KEY: made.operatorKey,
    });
    expect(code).toBe(0);
    const nowhere = await run(['bootstrap', '--name', 'Olga', '--table', 'nowhere']);
    expect([nowhere.code, nowhere.out]).toEqual([3, '']);
    expect(nowhere.err).toContain('There is no table nowhere');
    expect((await run(['bootstrap', '--name', 'Olga'], { TABLE_NAME: '' })).code).toBe(2);
  });

  test('retire revokes the key of the environment after asking', async () => {
    const { operatorKey: key } = await json(['bootstrap', '--name', 'Olga']);
    const ownKey = { VOUCHSAFE_OPERATOR_KEY: key };
    expect((await run(['retire'], ownKey)).code).toBe(2);
    const retired = await run(['retire', '--yes'], ownKey);
    expect([retired.code, retired.err]).toEqual([0, '']);
    expect((await run(['application', 'show', applicationId], ownKey)).code).toBe(4);
    const again = await run(['retire', '--yes'], ownKey);
    expect([again.code, again.err]).toEqual([3, `The table ${tableName} has no such operator key.\n`]);
    expect((await run(['retire', '--yes'], { VOUCHSAFE_OPERATOR_KEY: '' })).code).toBe(2);
  });
});

describe('the program, used incorrectly, ends with 2 and shows its usage', () => {
  test.each([
    [[], 'Missing command. Objects: review, '],
    [['frobnicate'], 'There is no such verb.'],
    [['key', 'crate', 'app_1'], 'Did you mean key create?'],
    [['serach', 'anna@example.com'], 'Did you mean search?'],
    [['plan', 'shwo', 'p'], 'There is no such verb. Did you mean plan'],
    [['plans', '-x'], 'Did you mean plan show?'],
    [['user', 'list', '--limt', '5'], "Unknown option '--limt'. Did you mean --limit?"],
    [['search'], 'Missing: <text>'],
    [['search', 'Anna', 'Example'], 'Too many arguments.'],
    [['key', 'create', '--kind', 'api_key'], 'Missing: <application>'],
    [['key', 'create', 'app_1', '--kind', 'operator_key'], '--kind must be client_secret or api_key'],
    [
      ['user', 'put', 'u', '--email', 'a@b.example', '--name', 'A', '--status', 'active'],
      '--verified | --no-verified',
    ],
    [['application', 'create', '--name', 'A', '--settings', '@/nowhere.json'], 'a file that cannot be read'],
    [['user', 'show', 'u', '--key=vok_secret'], "Unknown option '--key'"],
    [['user', 'show', 'u', '--url', 'http://api.example.com'], 'use https'],
    [['user', 'show', 'u', '--url', 'https://:p@a.example'], '--url'],
  ])('%j', async (args, reason) => {
    const said: string[] = [];
    const terminal = {
      env: { VOUCHSAFE_OPERATOR_KEY: `vok_${'A'.repeat(22)}` },
      out: async () => {},
      ask: undefined,
    };
    expect(await operate(args, { ...terminal, say: (text) => said.push(text) })).toBe(2);
    expect(said.join('')).toContain(reason);
    expect(said.join('')).toContain('--help');
    expect(said.join('')).not.toContain('vok_secret');
  });
});

test('every operation that an operator key may call has a verb, and no other one has', () => {
  const ofOperators = registeredRoutes()
    .filter(
      ({ route }) => ['operator', 'anyOperator', 'seller'].includes(route.auth) || 'operatorScope' in route,
    )
    .map((one) => operationIdOf(one));
  const requested = new Set(verbs.flatMap(({ operation }) => operation ?? []));
  expect([...requested].toSorted()).toEqual(ofOperators.toSorted());
});

test('a command whose request has a reason takes it as an option', () => {
  const stating = described.filter(({ fields }) => fields.some(({ name }) => name === 'reason'));
  expect(stating.length).toBeGreaterThan(9);
  for (const { id } of stating)
    expect(verbs.find(({ operation }) => operation === id)?.options?.reason).toMatchObject({ type: 'text' });
});

test('the commands of the documentation exist', () => {
  const root = join(import.meta.dirname, '../../../..');
  const files = globSync(['*.md', 'docs/**/*.md'], { cwd: root });
  const commands = files.flatMap((file) => [
    ...readFileSync(join(root, file), 'utf8').matchAll(/\boperator -- ([a-z-]+)(?: ([a-z-]+))?/g),
  ]);
  expect(commands.length).toBeGreaterThan(40);
  // An object stands for all its verbs.
  const names = new Set(verbs.flatMap(({ name }) => [name, name.split(' ', 1).join()]));
  for (const [command, object = '', verb] of commands) {
    const isNamed = verbs.some(({ name }) => name === object) || names.has([object, verb].join(' ').trim());
    expect(isNamed || object === '--help', command).toBe(true);
  }
});

test('each name belongs to one verb, and each option of a verb to one field', () => {
  const names = verbs.flatMap(({ name, alias = name }) => [...new Set([name, alias])]);
  expect(names.filter((name, i) => names.indexOf(name) !== i)).toEqual([]);
  for (const { name, positionals = [], options = {} } of verbs) {
    const fields = [...positionals, ...Object.values(options)].map(({ field }) => field);
    expect(new Set(fields).size, name).toBe(fields.length);
    // A field named --url would send the key elsewhere.
    for (const common of Object.keys(commonOptions)) expect(options, name).not.toHaveProperty(common);
    // A list of texts has a name for one of them.
    for (const [option, { type }] of Object.entries(options))
      expect(type === 'list' && option.endsWith('s'), `${name} --${option}`).toBe(false);
  }
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
