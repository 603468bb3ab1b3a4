import {
  checkSettings,
  deviceManagementProofOf,
  deviceProofOf,
  enrolmentOf,
  senderAddress,
  stageSettings,
} from '../../../../lib/deployment/stages.ts';
import { corpusRows } from '../../../support/corpus.ts';

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

const withOrigins = (allowedOrigins: string[]) => checkSettings({ ...stageSettings('dev'), allowedOrigins });

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
  expect(() => withOrigins([origin])).toThrow('is no origin');
});

test('origins are accepted as browsers send them, and * only alone', () => {
  withOrigins(['https://app.example.com', 'http://localhost:5173', 'http://[::1]:3000']);
  withOrigins(['*']);
  expect(() => withOrigins(['*', 'https://a.example'])).toThrow('every origin');
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
  const text = name === 'reservedConcurrency' ? 'reservedConcurrency.webhooks.attempt' : /from \d+ to \d+/;
  expect(() => checkSettings({ ...stageSettings('dev'), ...setting })).toThrow(text);
});

test('a file of the deployer sets, replaces and removes settings of a stage, and of no other stage', () => {
  const file = { prod: { alarmEmail: 'alarms@example.com', mailsPerSecond: 50, gradualDeployment: null } };
  const { gradualDeployment, ...rest } = stageSettings('prod');
  expect(gradualDeployment).toBe('canary');
  expect(stageSettings('prod', file)).toEqual({
    ...rest,
    alarmEmail: 'alarms@example.com',
    mailsPerSecond: 50,
  });
  expect(stageSettings('dev', file)).toEqual(stageSettings('dev'));
});

test('all mistakes of a file are reported at once', () => {
  const file = {
    prod: { alarmMail: 'a@example.com', mailsPerSecond: 0, domain: { name: 'api.example.com' } },
  };
  expect(() => stageSettings('prod', file)).toThrow(
    /:\n {2}domain\.certificateArn: .*\n {2}mailsPerSecond: .*\n {2}alarmMail: .* nearest is alarmEmail$/,
  );
});

test.each(corpusRows('stage-settings.tsv'))('the file %s is read as: %s', (text, reading = '') => {
  const read = () => stageSettings('prod', JSON.parse(text));
  if (reading === 'accepted') expect(read).not.toThrow();
  else expect(read).toThrow(reading);
});
