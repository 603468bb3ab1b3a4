/** Reads one hostile file in a process of its own, so that its peak of memory is that of the file. */
import { gzipSync } from 'node:zlib';
import { parseCamt } from '../../../functions/statements/import/file/camt.ts';
import { parseCsv } from '../../../functions/statements/import/file/csv.ts';
import { unpackFile } from '../../../functions/statements/import/file/decode.ts';
import { hostileFiles, hostileMapping } from '../../support/statements/hostile-files.ts';

const [, , what, packed] = process.argv;
const file = hostileFiles.find(({ of }) => of === what);
if (file === undefined) throw new Error(`There is no hostile file '${what}'`);
if (packed === undefined) {
  process.stdout.write(gzipSync(file.text(), { level: 9 }).toString('base64'));
} else {
  const { readFileSync } = await import('node:fs');
  const archive = Buffer.from(readFileSync(packed, 'utf8'), 'base64');
  const startedMs = performance.now();
  const bytes = unpackFile(archive);
  const reading =
    file.format === 'csv' ? parseCsv(bytes, hostileMapping, Date.now()) : parseCamt(bytes, Date.now());
  const outcome = await reading.then(
    () => 'read',
    () => 'refused',
  );
  const ms = performance.now() - startedMs;
  const mb = process.resourceUsage().maxRSS / 1024;
  process.stdout.write(JSON.stringify({ outcome, ms, mb }));
}
