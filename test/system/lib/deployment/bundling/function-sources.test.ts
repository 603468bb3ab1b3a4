import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync } from 'node:fs';
import { createServer } from 'node:http';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { promisify } from 'node:util';
import { build } from 'esbuild';
import { afterAll, expect, test } from 'vitest';
import { functionSources } from '../../../../../lib/deployment/bundling/function-sources.ts';
import { listen } from '../../../../../lib/local/listen.ts';

const directory = mkdtempSync(join(tmpdir(), 'vouchsafe-sources-'));
afterAll(() => rmSync(directory, { recursive: true, force: true }));

/** A program that prints the name, the status and the text of the error that a service answers a command with. */
const program = (client: string, command: string) => `
  import { ${client}Client, ${command} } from '@aws-sdk/client-${client === 'SFN' ? 'sfn' : 'secrets-manager'}';
  const service = new ${client}Client({ endpoint: process.argv[2], region: 'eu-west-1', maxAttempts: 1,
    credentials: { accessKeyId: 'a', secretAccessKey: 'b' } });
  const error = await service.send(new ${command}({ stateMachineArn: 'a', SecretId: 'a' })).catch((error) => error);
  console.log(JSON.stringify([error instanceof Error, error.name, error.$metadata.httpStatusCode, error.message]));`;

test.each([
  ['SFN', 'StartExecutionCommand', 'ExecutionAlreadyExists'],
  ['SFN', 'DescribeExecutionCommand', 'ExecutionDoesNotExist'],
  ['SecretsManager', 'GetSecretValueCommand', 'ResourceNotFoundException'],
  ['SecretsManager', 'GetSecretValueCommand', 'InvalidRequestException'],
])('in a bundle, an error of %s has its name: %s, %s', async (client, command, name) => {
  const answer = createServer((_, response) => {
    const body = { __type: `com.amazonaws.example#${name}`, message: 'as it is' };
    response.writeHead(400, { 'content-type': 'application/x-amz-json-1.1' }).end(JSON.stringify(body));
  });
  const server = await listen(answer, 0);
  const file = join(directory, `${command}-${name}.mjs`);
  await build({
    stdin: { contents: program(client, command), resolveDir: import.meta.dirname },
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
  expect(JSON.parse(stdout)).toEqual([true, name, 400, 'as it is']);
});
