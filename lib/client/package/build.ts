/** Writes the package into `dist`. `npm run typecheck` compiles it with the declarations of browsers and without those of Node.js. */
import { mkdir, rm, writeFile } from 'node:fs/promises';
import { join } from 'node:path';
import './generate.ts';
import { builtFiles, clientFolder } from './package-files.ts';

const dist = join(clientFolder, 'dist');
const files = await builtFiles();
await rm(dist, { recursive: true, force: true });
await mkdir(dist, { recursive: true });
await Promise.all([...files].map(([name, text]) => writeFile(join(dist, name), text)));
