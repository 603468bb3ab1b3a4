import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { functionSources } from '../../../../../lib/deployment/bundling/function-sources.ts';
import { listen } from '../../../../../lib/local/listen.ts';

const directory = mkdtempSync(join(tmpdir(), 'vouchsafe-sources-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

const answered = [
  'StartExecution ExecutionAlreadyExists',
  'DescribeExecution ExecutionDoesNotExist',
  'GetSecretValue ResourceNotFoundException',
  'GetSecretValue InvalidRequestException',
];

/** Prints the name, the status and the text of the error that a service at an address answers each command with. */
const program = `
  import { DescribeExecutionCommand, SFNClient, StartExecutionCommand } from '@aws-sdk/client-sfn';
  import { GetSecretValueCommand, SecretsManagerClient } from '@aws-sdk/client-secrets-manager';
  const commands = { StartExecution: StartExecutionCommand, DescribeExecution: DescribeExecutionCommand, GetSecretValue: GetSecretValueCommand };
  for (const one of ${JSON.stringify(answered)}) {
    const [command, name] = one.split(' ');
    const Client = command === 'GetSecretValue' ? SecretsManagerClient : SFNClient;
    const service = new Client({ endpoint: process.argv[2] + '/' + name, region: 'eu-west-1', maxAttempts: 1,
      credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
    const sent = service.send(new commands[command]({ stateMachineArn: 'a', executionArn: 'a', SecretId: 'a' }));
    const error = await sent.catch((error) => error);
    console.log(JSON.stringify([error instanceof Error, error.name, error.$metadata.httpStatusCode, error.message]));
  }`;

test('in a bundle, an error of Step Functions or Secrets Manager has its name', async () => {
  const answer = createServer(({ url = '' }, response) => {
    const body = { __type: `com.amazonaws.example#${url.split('/')[1]}`, message: 'as it is' };
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  const server = await listen(answer, 0);
  const file = join(directory, 'program.mjs');
  await build({
    stdin: { contents: program, resolveDir: import.meta.dirname },
    bundle: true,
    platform: 'node',
    format: 'esm',
    banner: {
      js: `import { createRequire } from 'node:module'; const require = createRequire(import.meta.url);`,
    },
    mainFields: ['module', 'main'],
    plugins: [functionSources],
    outfile: file,
  });
  const { stdout } = await promisify(execFile)(process.execPath, [file, server.url]);
  await server.close();
  const named = answered.map((one) => [true, one.split(' ')[1], 400, 'as it is']);
  expect(
    stdout
      .trim()
      .split('\n')
      .map((line) => JSON.parse(line)),
  ).toEqual(named);
});
