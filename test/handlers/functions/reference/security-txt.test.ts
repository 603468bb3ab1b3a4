import { afterEach, expect, test, vi } from 'vitest';
import { dayMs } from '../../../../functions/shared/runtime/duration.ts';
import { call } from '../../../support/call.ts';

afterEach(() => {
  vi.unstubAllEnvs();
  vi.useRealTimers();
});

test('security.txt names the contact of the stage, its own address, and an end within a year: RFC 9116', async () => {
  vi.stubEnv('SECURITY_CONTACT', 'mailto:security@example.com');
  vi.stubEnv('PUBLIC_URL', 'http://127.0.0.1:3000');
  vi.useFakeTimers({ toFake: ['Date'], now: Date.UTC(2028, 1, 29) });
  const { status, headers, text } = await call('reference.security-txt');
  expect([status, headers['content-type']]).toEqual([200, 'text/plain; charset=utf-8']);
  const fields = text
    .trimEnd()
    .split('\n')
    .map((line) => line.split(': '));
  expect(Object.fromEntries(fields)).toEqual({
    Contact: 'mailto:security@example.com',
    Expires: new Date(Date.now() + 180 * dayMs).toISOString(),
    'Preferred-Languages': 'en',
    Canonical: 'http://127.0.0.1:3000/.well-known/security.txt',
  });
});

test('without a contact there is no security.txt', async () => {
  vi.stubEnv('SECURITY_CONTACT', undefined);
  expect((await call('reference.security-txt')).status).toBe(404);
});
