import { beforeAll, expect, test } from 'vitest';
import { localOperator } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
let applicationId: string;

beforeAll(async () => {
  operator = await localOperator();
  const banking = { accountHolder: 'Seller', bankName: 'Bank', iban: 'DE02120300000000202051' };
  const settings = JSON.stringify({ paymentGateway: 'none', banking });
  const made = await operator.json(['application', 'create', '--name', 'Changed', '--settings', settings]);
  applicationId = made.application._id;
});

const run = (args: readonly string[], answer?: string, key?: string) =>
  operator.run(args, answer, key === undefined ? {} : { VOUCHSAFE_OPERATOR_KEY: key });
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
