import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { localOperator, operateHere } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
beforeAll(async () => {
  operator = await localOperator();
});

/** Runs a command with "n" as the answer to its question. */
async function refused(...args: string[]) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return 'n';
  };
  const { code, out, err } = await operateHere(args, operator.env, ask);
  expect([code, out]).toEqual([1, '']);
  return { asked, err };
}

test('an update of settings shows the difference, and changes nothing unless it is confirmed', async () => {
  const banking = { accountHolder: 'Seller', bankName: 'Bank', iban: 'DE02120300000000202051' };
  const before = JSON.stringify({ paymentGateway: 'none', banking });
  const { application } = await operator.json(['application', 'create', '--name', 'A', '--settings', before]);
  const after = JSON.stringify({ paymentGateway: 'sandbox', banking: { iban: null } });
  const { err } = await refused('application', 'update', application._id, '--settings', after);
  expect(err.split('\n')).toEqual([
    '- settings.paymentGateway: "none"',
    '+ settings.paymentGateway: "sandbox"',
    '- settings.banking.iban: "DE02120300000000202051"',
    'Nothing was done.',
    '',
  ]);
  const shown = await operator.json(['application', 'show', application._id]);
  expect(shown.application.settings).toEqual(application.settings);
});

test('user reset says what it will end, and does nothing unless the question is confirmed', async () => {
  const userId = `user-${randomUUID()}`;
  const profile = ['--email', `${userId}@example.com`, '--name', 'Ann', '--status', 'active', '--verified'];
  await operator.json(['user', 'put', userId, ...profile]);
  const args = ['user', 'reset', userId, '--devices', '--vault', '--reason', 'Lost'];
  const { asked, err } = await refused(...args);
  expect(err).toContain('Nothing was done.');
  expect(asked).toEqual([
    [
      'This ends:',
      '  every trusted device, session and token',
      '  the stored vault, for good, and its proof',
      'It cannot be undone. Reset the user? [y/N] ',
    ].join('\n'),
  ]);
  // Without a terminal it needs --yes.
  expect((await operator.run(args)).code).toBe(2);
  expect(await operator.json(['user', 'history', userId])).toMatchObject({ history: [{ event: 'created' }] });
});
