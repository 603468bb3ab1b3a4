import { writeFile } from 'node:fs/promises';
import { openApiDocument } from '../lib/openapi/openapi.ts';
import { withSharedParts } from '../lib/openapi/shared-parts.ts';
import packageJson from '../package.json' with { type: 'json' };

const usage = `Prints the API as an OpenAPI 3.1 document in JSON.

Usage: npm run --silent openapi [-- <file>]

  <file>         writes the document to this file instead
  -h, --help     shows this help
`;

const [file, ...more] = process.argv.slice(2);
if (file === '-h' || file === '--help') {
  process.stdout.write(usage);
} else if (file?.startsWith('-') || more.length > 0) {
  process.stderr.write(usage);
  process.exitCode = 2;
} else {
  const document = withSharedParts(openApiDocument({ version: packageJson.version }));
  const text = `${JSON.stringify(document, null, 2)}\n`;
  if (file === undefined) process.stdout.write(text);
  else await writeFile(file, text);
}
