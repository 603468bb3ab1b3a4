import { spawnSync } from 'node:child_process';
import { join } from 'node:path';
import { parseArgs } from 'node:util';
import {
  EndpointRefused,
  type EndpointRequest,
  methods,
  writeEndpoint,
} from '../lib/scaffold/new-endpoint.ts';

const usage = `Writes a new endpoint: its contract, its file and a test; its lines in the routes, the sample
requests and the changelog and, for a command of operators, in the forms of the console.

Usage: npm run new-endpoint -- <service> <name> [--method <method>] [--path <path>]

  <service>      a folder of functions/, such as subscriptions
  <name>         names the route and its file, such as plan-archive
  --method       ${methods.join(', ')}; GET by default
  --path         such as /api/v1/clients/{externalId}/suspend; the name below the paths of the service by default
  -h, --help     shows this help
`;

/** @returns undefined when the command line is not valid. */
function readArguments(): EndpointRequest | 'help' | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: {
        method: { type: 'string' },
        path: { type: 'string' },
        help: { type: 'boolean', short: 'h' },
      },
    });
    const [service = '', name = '', ...more] = positionals;
    if (values.help) return 'help';
    return name === '' || more.length > 0 ? undefined : { ...values, service, name };
  } catch {
    return undefined;
  }
}

function run(request: EndpointRequest): number {
  const root = join(import.meta.dirname, '..');
  try {
    const files = writeEndpoint(root, request);
    const biome = join(root, 'node_modules/@biomejs/biome/bin/biome');
    const format = [biome, 'check', '--write', '--linter-enabled=false', ...files];
    const { status, stderr } = spawnSync(process.execPath, format, { cwd: root, encoding: 'utf8' });
    if (status !== 0) process.stderr.write(stderr);
    process.stdout.write(`${files.join('\n')}\n`);
    return status === 0 ? 0 : 1;
  } catch (error) {
    if (!(error instanceof EndpointRefused)) throw error;
    process.stderr.write(`${error.message}\n`);
    return 2;
  }
}

const given = readArguments();
if (given === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else if (given === 'help') {
  process.stdout.write(usage);
} else {
  process.exitCode = run(given);
}
