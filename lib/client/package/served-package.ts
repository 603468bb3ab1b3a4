/** The package as every deployment serves it: `npx <address>` runs it. */
import { createHash } from 'node:crypto';
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import packageJson from '../package.json' with { type: 'json' };
import { builtFiles, clientFolder } from './package-files.ts';

/** The time that npm gives all files of a package. */
const modifiedSeconds = 499_162_500;
const blockBytes = 512;

/**
 * The package as a tar archive, and what is said of it. The same sources give the same bytes.
 *
 * The archive is not compressed: API Gateway carries bytes only to callers whose `Accept` begins with a type of `binaryTypes`, and
 * npm accepts everything alike. Its bytes are UTF-8, so they are a text, which API Gateway compresses by itself.
 */
export async function servedPackage(): Promise<{ file: string; integrity: string; archive: string }> {
  const unbuilt = ['LICENSE', 'package.json'].map(
    async (name) => [name, await readFile(join(clientFolder, name), 'utf8')] as const,
  );
  const built = [...(await builtFiles())].map(([name, text]) => [`dist/${name}`, text] as const);
  const files = [...(await Promise.all(unbuilt)), ...built].sort(([a], [b]) => (a < b ? -1 : 1));
  // Two empty blocks end an archive.
  const archive = Buffer.concat([...files.flatMap(entry), Buffer.alloc(2 * blockBytes)]);
  return {
    file: `${packageJson.name}-${packageJson.version}.tgz`,
    integrity: `sha512-${createHash('sha512').update(archive).digest('base64')}`,
    archive: archive.toString(),
  };
}

/** A file in the format ustar: https://pubs.opengroup.org/onlinepubs/9799919799/utilities/pax.html */
function entry([name, text]: readonly [string, string]): Buffer[] {
  const content = Buffer.from(text);
  const octal = (value: number, digits: number) => `${value.toString(8).padStart(digits, '0')}\0`;
  const header = Buffer.alloc(blockBytes);
  header.write(`package/${name}`);
  header.write(octal(0o644, 7) + octal(0, 7) + octal(0, 7), 100);
  header.write(octal(content.length, 11) + octal(modifiedSeconds, 11), 124);
  // The checksum is that of the header with spaces in its place.
  header.write(`${' '.repeat(8)}0`, 148);
  header.write('ustar\x0000', 257);
  header.write(
    `${octal(
      header.reduce((sum, byte) => sum + byte, 0),
      6,
    )} `,
    148,
  );
  return [header, content, Buffer.alloc(-content.length & (blockBytes - 1))];
}
