import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
import { type Listening, listenEndpoint } from '../../../../lib/local/listen.ts';
import { secretsEndpoint } from '../../../../lib/local/secrets.ts';

let endpoint: Listening;
let client: SecretsManagerClient;

beforeAll(async () => {
  endpoint = await listenEndpoint(secretsEndpoint({ known: 'the secret' }, { 'group/': 'of the group' }));
  client = new SecretsManagerClient({ endpoint: endpoint.url, maxAttempts: 1 });
});
afterAll(async () => {
  client.destroy();
  await endpoint.close();
});

test('a secret is read by its name', async () => {
  const response = await client.send(new GetSecretValueCommand({ SecretId: 'known' }));
  expect(response).toMatchObject({ Name: 'known', SecretString: 'the secret' });
});

test('a secret of a group is read by any name with the prefix of the group', async () => {
  const response = await client.send(new GetSecretValueCommand({ SecretId: 'group/app_1' }));
  expect(response).toMatchObject({ Name: 'group/app_1', SecretString: 'of the group' });
});

test.each(['unknown', 'constructor', '__proto__', 'group/', 'group', 'a/group/b'])(
  'the secret %s is not found, with the error of AWS',
  async (SecretId) => {
    await expect(client.send(new GetSecretValueCommand({ SecretId }))).rejects.toMatchObject({
      name: 'ResourceNotFoundException',
    });
  },
);

test('an unsigned request is refused, so that no web site reads the secret', async () => {
  const response = await fetch(endpoint.url, {
    method: 'POST',
    headers: { 'x-amz-target': 'secretsmanager.GetSecretValue' },
    body: JSON.stringify({ SecretId: 'known' }),
  });
  expect(response.status).toBe(400);
  expect(await response.text()).not.toContain('the secret');
});
