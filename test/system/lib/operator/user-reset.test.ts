import { randomUUID } from 'node:crypto';
import { beforeAll, expect, test } from 'vitest';
import { localOperator, operateHere } from './program.ts';

let operator: Awaited<ReturnType<typeof localOperator>>;
beforeAll(async () => {
  operator = await localOperator();
});

/** Runs a command with an answer to its question, if there is a terminal. */
async function run(args: readonly string[], answer?: string) {
  const asked: string[] = [];
  const ask = async (question: string) => {
    asked.push(question);
    return answer ?? '';
  };
  return { ...(await operateHere(args, operator.env, answer === undefined ? undefined : ask)), asked };
}

async function newUser(): Promise<string> {
  const userId = `user-${randomUUID()}`;
  const profile = ['--email', `${userId}@example.com`, '--name', 'Ann', '--status', 'active', '--verified'];
  expect((await run(['user', 'put', userId, ...profile])).code).toBe(0);
  return userId;
}

const history = async (userId: string) =>
  JSON.parse((await run(['user', 'history', userId, '--json'])).out).history;

test('user reset says what it will end, and does nothing unless the question is confirmed', async () => {
  const userId = await newUser();
  const args = ['user', 'reset', userId, '--devices', '--vault', '--reason', 'Lost'];
  const { code, asked, out, err } = await run(args, 'n');
  expect([code, out]).toEqual([1, '']);
  expect(err).toContain('Nothing was done.');
  expect(asked).toEqual([
    [
      'This ends:',
      '  every trusted device, session and token',
      '  the stored vault, for good, and its proof',
      'It cannot be undone. Reset the user? [y/N] ',
    ].join('\n'),
  ]);
  expect(await history(userId)).toMatchObject([{ event: 'created' }]);
  expect((await run(args)).code).toBe(2);
  expect(await history(userId)).toMatchObject([{ event: 'created' }]);
});
