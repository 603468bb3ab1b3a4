import { execFile } from 'node:child_process';
import { mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { promisify } from 'node:util';
import { hostileFiles } from '../../support/statements/hostile-files.ts';
import { hostileFile } from '../budgets.ts';
import { printTable, round, verdict } from '../print.ts';

const run = promisify(execFile);
const script = fileURLToPath(import.meta.resolve('./run.ts'));

/** Time and peak of memory of reading hostile bank statements, each in a process of its own. @param most of them. */
export async function benchHostileFiles(most = hostileFiles.length): Promise<void> {
  const folder = mkdtempSync(join(tmpdir(), 'hostile-'));
  const packed = join(folder, 'packed');
  const rows: (string | number)[][] = [];
  try {
    for (const { of, format } of hostileFiles.slice(0, most)) {
      const { stdout: base64 } = await run(process.execPath, [script, of], { maxBuffer: 2 ** 24 });
      writeFileSync(packed, base64);
      const { stdout } = await run(process.execPath, [script, of, packed]);
      const { outcome, ms, mb } = JSON.parse(stdout) as { outcome: string; ms: number; mb: number };
      const kb = round((base64.length * 3) / 4 / 1024, 0);
      rows.push([
        of,
        format,
        kb,
        outcome,
        round(ms, 0),
        round(mb, 0),
        verdict(mb <= hostileFile.mb, ms <= hostileFile.ms),
      ]);
    }
  } finally {
    rmSync(folder, { recursive: true, force: true });
  }
  printTable(
    `Hostile bank statements, budget ${hostileFile.ms} ms and ${hostileFile.mb} MB for the whole process`,
    ['file of', 'format', 'KB packed', 'is', 'ms', 'MB', ''],
    rows,
  );
}
