import { request as httpRequest, type RequestListener } from 'node:http';
import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { SESClient, SendEmailCommand } from '@aws-sdk/client-ses';
import { DescribeExecutionCommand, SFNClient } from '@aws-sdk/client-sfn';
import { handlerEnvironment } from '../../../../lib/local/environment.ts';
import { type Listening, listenEndpoint } from '../../../../lib/local/listen.ts';
import { mailboxEndpoint } from '../../../../lib/local/mailbox/endpoint.ts';
import { Mailbox } from '../../../../lib/local/mailbox/mailbox.ts';
import { secretsEndpoint } from '../../../../lib/local/secrets.ts';
import { openState } from '../../../../lib/local/state.ts';
import { stateMachinesEndpoint } from '../../../../lib/local/state-machines/endpoint.ts';
import { StateMachines } from '../../../../lib/local/state-machines/state-machines.ts';

const state = openState(':memory:');
const nowMs = Date.now;
const mailbox = new Mailbox({
  state,
  nowMs,
  verifiedDomains: ['vouchsafe.example'],
  configurationSets: [],
});
const machines = new StateMachines({ database: state.database, nowMs, invoke: async () => null });
const executionArn = 'arn:aws:states:eu-west-1:000000000000:execution:none:none';

/** Calls an endpoint. A rejection is one of the service: the call was let in. */
type Call = (endpoint: string, accessKeyId: string) => Promise<unknown>;
const options = (endpoint: string, accessKeyId: string) => ({
  endpoint,
  maxAttempts: 1,
  credentials: { accessKeyId, secretAccessKey: 'secret' },
});

const endpoints: [name: string, listener: RequestListener, call: Call][] = [
  [
    'Secrets Manager',
    secretsEndpoint({ known: 'the secret' }),
    (endpoint, key) =>
      new SecretsManagerClient(options(endpoint, key)).send(new GetSecretValueCommand({ SecretId: 'known' })),
  ],
  [
    'SES',
    mailboxEndpoint(mailbox),
    (endpoint, key) =>
      new SESClient(options(endpoint, key)).send(
        new SendEmailCommand({
          Source: 'no-reply@vouchsafe.example',
          Destination: { ToAddresses: ['anna@example.com'] },
          Message: { Subject: { Data: 'Hello' }, Body: { Text: { Data: 'Hello' } } },
        }),
      ),
  ],
  [
    'Step Functions',
    stateMachinesEndpoint(machines),
    (endpoint, key) =>
      new SFNClient(options(endpoint, key)).send(new DescribeExecutionCommand({ executionArn })),
  ],
];

const own = process.env.AWS_ACCESS_KEY_ID ?? '';
const refusals = ['UnrecognizedClientException', 'InvalidClientTokenId'];
/** The name of the error of a call; `none` after a success. */
const outcome = (call: Promise<unknown>) =>
  call.then(
    () => 'none',
    (error: Error) => error.name,
  );

describe.each(endpoints)('the local %s', (_, listener, call) => {
  let endpoint: Listening | undefined;
  afterEach(() => endpoint?.close());

  test.each(['AKIAIOSFODNN7EXAMPLE', `${own}x`, own.slice(1)])(
    'refuses a request that is signed with the access key %j of someone else',
    async (key) => {
      endpoint = await listenEndpoint(listener);
      expect(refusals).toContain(await outcome(call(endpoint.url, key)));
    },
  );

  test('answers a request that is signed with the access key of the functions', async () => {
    endpoint = await listenEndpoint(listener);
    expect(refusals).not.toContain(await outcome(call(endpoint.url, own)));
  });

  test('refuses a request for the host of another site', async () => {
    endpoint = await listenEndpoint(listener);
    const { port } = new URL(endpoint.url);
    const status = await new Promise((resolve) => {
      const headers = { host: `evil.example:${port}` };
      httpRequest({ host: '127.0.0.1', port, method: 'POST', headers }, (response) => {
        response.resume();
        resolve(response.statusCode);
      }).end('{}');
    });
    expect(status).toBe(403);
  });
});

test('each start of the stack has a random credential of its own', () => {
  const urls = { dynamodb: '', ses: '', sfn: '', secretsManager: '' };
  const made = [1, 2].map(() => handlerEnvironment({}, urls, '.').AWS_ACCESS_KEY_ID ?? '');
  expect(new Set(made).size).toBe(2);
  for (const key of made) expect(key).toMatch(/^[0-9a-f]{32}$/);
});
