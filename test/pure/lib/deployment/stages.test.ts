import { expect, test } from 'vitest';
import {
  checkOrigins,
  checkSettings,
  deviceManagementProofOf,
  deviceProofOf,
  enrolmentOf,
  senderAddress,
  stageSettings,
} from '../../../../lib/deployment/stages.ts';

test.each(['dev', 'prod'])('the settings of %s can be deployed', (name) => {
  expect(stageSettings(name).name).toBe(name);
});

test.each(['production', '', 'constructor'])(
  'the stage %j is refused with the names of the stages',
  (name) => {
    expect(() => stageSettings(name)).toThrow(/stages are dev, prod$/);
  },
);

test('production is protected against deletion, keeps its logs and allows only named origins', () => {
  const prod = stageSettings('prod');
  expect(prod.terminationProtection).toBe(true);
  expect(prod.keepLogs).toBe(true);
  expect(prod.allowedOrigins).not.toContain('*');
});

test.each([
  ['prod', 'known', 'required', true],
  ['dev', 'open', 'offered', false],
])('%s has the stricter value of each choice it does not make: %s, %s, %s', (name, ...choices) => {
  const stage = stageSettings(name);
  expect([enrolmentOf(stage), deviceProofOf(stage), deviceManagementProofOf(stage)]).toEqual(choices);
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

test('origins are accepted as browsers send them, and * only alone', () => {
  checkOrigins(['https://app.example.com', 'http://localhost:5173', 'http://[::1]:3000']);
  checkOrigins(['*']);
  expect(() => checkOrigins(['*', 'https://a.example'])).toThrow('every origin');
});

test.each([
  ['Vouchsafe <no-reply@example.com>', 'no-reply@example.com'],
  ['no-reply@example.com', 'no-reply@example.com'],
])('the address in the sender %s is %s', (sender, address) => {
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

test('securityContact must be a URI of mail, of a page or of a telephone', () => {
  const set = (securityContact: string) => () => checkSettings({ ...stageSettings('dev'), securityContact });
  for (const contact of [
    'security@example.com',
    'http://a.example',
    '',
    'mailto:',
    'mailto:a@b.example\nX: y',
  ])
    expect(set(contact)).toThrow('securityContact');
  for (const contact of ['mailto:security@example.com', 'https://a.example/report', 'tel:+49-30-1'])
    expect(set(contact)).not.toThrow();
});

test.each(['', 'dev-api', 'Dev', '1dev', 'a-very-long-name', 'abcdefghijklm'])(
  'a stage named %j is refused: the names of its functions could match the prefix of another stage',
  (name) => {
    expect(() => checkSettings({ ...stageSettings('dev'), name })).toThrow('is not a stage name');
  },
);

test.each([
  ...[11, 720.5, 721, Number.NaN].map((timerHorizonHours) => ({ timerHorizonHours })),
  ...[0, -1, 1.5, 101].map((applicationRequestsPerSecond) => ({ applicationRequestsPerSecond })),
  ...[0, 1.5, -1].map((executions) => ({ reservedConcurrency: { 'webhooks.attempt': executions } })),
])('the number of %j is refused', (setting) => {
  const [name = ''] = Object.keys(setting);
  const text = name === 'reservedConcurrency' ? 'reservedConcurrency of webhooks.attempt' : /from \d+ to \d+/;
  expect(() => checkSettings({ ...stageSettings('dev'), ...setting })).toThrow(text);
});
