import { randomUUID } from 'node:crypto';
import { afterAll, beforeAll, expect, test, vi } from 'vitest';
import { type Stack, startStack } from '../../../../lib/local/stack.ts';
import { operateHere } from './program.ts';

let stack: Stack;
let operatorKey: string;
let applicationId: string;

beforeAll(async () => {
  vi.resetModules();
  await import('../../../support/table-connection.ts');
  const env = { ...process.env, TABLE_NAME: `update-${randomUUID()}`, AWS_ENDPOINT_URL_SES: undefined };
  stack = await startStack({ port: 0, dataDir: ':memory:', log: () => {}, env });
  const demo = (await (await fetch(`${stack.url}/_local/demo`)).json()) as {
    operatorKey: string;
    applications: { offline: { _id: string } };
  };
  operatorKey = demo.operatorKey;
  applicationId = demo.applications.offline._id;
});
afterAll(async () => {
  await stack.stop();
  vi.resetModules();
});

/** Runs a command with an answer to its question, if there is a terminal. */
async function run(args: readonly string[], answer?: string, key = operatorKey) {
  const ask = answer === undefined ? undefined : async () => answer;
  return operateHere(args, { VOUCHSAFE_URL: stack.url, VOUCHSAFE_OPERATOR_KEY: key }, ask);
}
const update = (settings: object, answer?: string, ...more: string[]) =>
  run(['application', 'update', applicationId, '--settings', JSON.stringify(settings), ...more], answer);
const settings = async () =>
  JSON.parse((await run(['application', 'show', applicationId, '--json'])).out).application.settings;

test('an update of settings shows the difference, and changes nothing unless it is confirmed', async () => {
  const before = await settings();
  const { code, out, err } = await update({ paymentGateway: 'sandbox', banking: { iban: null } }, 'n');
  expect([code, out]).toEqual([1, '']);
  expect(err).toBe(
    [
      '- settings.paymentGateway: "none"',
      '+ settings.paymentGateway: "sandbox"',
      '- settings.banking.iban: "DE02120300000000202051"',
      'Nothing was done.\n',
    ].join('\n'),
  );
  expect(await settings()).toEqual(before);
});

test('an update of settings without a terminal says to use --yes, with which it merges', async () => {
  const refused = await update({ trial: { reminderDays: 2 } });
  expect([refused.code, refused.out]).toEqual([2, '']);
  expect(refused.err).toContain('Use --yes to confirm');
  const before = await settings();
  expect((await update({ trial: { reminderDays: 2 } }, undefined, '--yes')).code).toBe(0);
  expect(await settings()).toEqual({ ...before, trial: { reminderDays: 2 } });
});

test('warnings are printed beside the result, and are part of it with --json', async () => {
  const { code, out, err } = await run(['application', 'create', '--name', 'Bare']);
  expect(code).toBe(0);
  expect(out).not.toContain('Warning');
  expect(err).toMatch(/Warning: .*PKCE/);
  expect(err).toMatch(/Warning: .*settings\.banking/);
  const removed = await update({ banking: null }, 'y');
  expect([removed.code, removed.err]).toEqual([0, expect.stringMatching(/Warning: .*settings\.banking/)]);
  const options = ['--name', 'Pro', '--price', '9', '--currency', 'EUR', '--billing-cycle', 'monthly'];
  const made = await run(['plan', 'create', applicationId, ...options, '--json']);
  expect([made.err, JSON.parse(made.out).warnings]).toEqual([
    '',
    [expect.objectContaining({ code: 'banking_missing' })],
  ]);
});

test('a key is created for a person with scopes, is refused beyond them, and is revoked', async () => {
  const scopes = ['--scope', 'review', '--scope', 'support'];
  const made = await run(['operator-key', 'create', '--name', 'Rita', ...scopes, '--json']);
  const { keyId, secret } = JSON.parse(made.out);
  expect((await run(['review', 'list'], undefined, secret)).code).toBe(0);
  const refused = await run(['application', 'create', '--name', 'A'], undefined, secret);
  expect(refused.code).toBe(1);
  expect(refused.err).toContain('scope: admin');
  expect((await run(['operator-key', 'list'])).out).toContain('Rita');
  expect((await run(['operator-key', 'revoke', keyId, '--yes'])).code).toBe(0);
  expect((await run(['operator-key', 'list'])).out).not.toContain(keyId);
  const { history } = JSON.parse((await run(['audit', 'list', keyId, '--json'])).out);
  expect(history).toMatchObject([
    { event: 'revoked', by: { name: 'Local Operator' } },
    { event: 'created', by: { name: 'Local Operator' }, operatorKey: { name: 'Rita' } },
  ]);
});
