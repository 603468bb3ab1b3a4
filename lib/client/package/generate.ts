/** Writes the types and the table of operations of `vouchsafe-client/api` from the OpenAPI document. */
import { writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import { generatedFiles } from './generated-files.ts';
import { clientFolder } from './package-files.ts';

for (const [name, text] of await generatedFiles()) await writeFile(join(clientFolder, name), text);
