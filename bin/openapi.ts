import { writeFile } from 'node:fs/promises';
import { parseArgs } from 'node:util';
import { openApiDocument } from '../lib/openapi/openapi.ts';
import { withSharedParts } from '../lib/openapi/shared-parts.ts';
import packageJson from '../package.json' with { type: 'json' };

const usage = `Prints the API as an OpenAPI 3.1 document in JSON.

Usage: npm run --silent openapi [-- <file>]

  <file>         writes the document to this file instead
  -h, --help     shows this help
  -v, --version  shows the version
`;

function readArguments(): { help?: boolean; version?: boolean; file?: string | undefined } | undefined {
  try {
    const { values, positionals } = parseArgs({
      allowPositionals: true,
      options: { help: { type: 'boolean', short: 'h' }, version: { type: 'boolean', short: 'v' } },
    });
    const [file, ...more] = positionals;
    return more.length > 0 ? undefined : { ...values, file };
  } catch {
    return undefined;
  }
}

const given = readArguments();
if (given === undefined) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else if (given.help) {
  process.stdout.write(usage);
} else if (given.version) {
  process.stdout.write(`${packageJson.version}\n`);
} else {
  const document = withSharedParts(openApiDocument({ version: packageJson.version }));
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (given.file === undefined) process.stdout.write(text);
  else await writeFile(given.file, text);
}
