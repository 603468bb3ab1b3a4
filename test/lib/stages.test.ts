import { expect, test } from 'vitest';
import { checkOrigins, checkSettings, senderAddress, stageSettings } from '../../lib/stages.ts';

test.each(['dev', 'prod'])('%s can be deployed', (name) => {
  expect(stageSettings(name).name).toBe(name);
});

test.each(['production', '', 'constructor'])('the stage %j is refused, naming those there are', (name) => {
  expect(() => stageSettings(name)).toThrow(/stages are dev, prod$/);
});

test('production cannot be deleted by mistake, and lets no origin in that nobody named', () => {
  const prod = stageSettings('prod');
  expect(prod.terminationProtection).toBe(true);
  expect(prod.keepLogs).toBe(true);
  expect(prod.allowedOrigins).not.toContain('*');
});

test.each([
  'https://app.example.com/',
  'app.example.com',
  'https://App.example.com',
  'https://a.example/path',
  'https://*.example.com',
  'https://a.example"',
  "https://a.example'",
  'https://a.example:443',
  'null',
])('%s is refused as an origin', (origin) => {
  expect(() => checkOrigins([origin])).toThrow('is no origin');
});

test('origins as browsers send them are accepted, and * only alone', () => {
  checkOrigins(['https://app.example.com', 'http://localhost:5173', 'http://[::1]:3000']);
  checkOrigins(['*']);
  expect(() => checkOrigins(['*', 'https://a.example'])).toThrow('every origin');
});

test.each([
  ['Vouchsafe <no-reply@example.com>', 'no-reply@example.com'],
  ['no-reply@example.com', 'no-reply@example.com'],
])('the address of the sender %s is %s', (sender, address) => {
  expect(senderAddress(sender)).toBe(address);
});

test.each(['', 'Vouchsafe', 'a@b', 'Vouchsafe <>', 'a b@example.com', '<a@example.com> b'])(
  '%j is refused as a sender',
  (sender) => {
    expect(() => checkSettings({ ...stageSettings('dev'), mailSender: sender })).toThrow('is no sender');
  },
);

test.each(['deviceProfilingUrl', 'devicesPage'])('%s must be an https address', (name) => {
  const set = (url: string) => () => checkSettings({ ...stageSettings('dev'), [name]: url });
  for (const url of ['http://a.example', 'a.example', '', 'javascript:alert(1)'])
    expect(set(url)).toThrow(name);
  expect(set('https://a.example/devices')).not.toThrow();
});

test.each([11, 720.5, 721, Number.NaN])('a horizon of timers of %d hours is refused', (timerHorizonHours) => {
  expect(() => checkSettings({ ...stageSettings('dev'), timerHorizonHours })).toThrow('from 12 to 720');
});

test.each([0, -1, 1.5, 101, Number.NaN])(
  'an application limit of %d is refused',
  (applicationRequestsPerSecond) => {
    const settings = { ...stageSettings('dev'), applicationRequestsPerSecond };
    expect(() => checkSettings(settings)).toThrow('from 1 to 100');
  },
);
