import fc from 'fast-check';
import { expect, test } from 'vitest';
import { safeFileName } from '../../../../../lib/client/share/file-name.ts';

test.each([
  ['plan.pdf', 'plan.pdf'],
  ['Grüße 👩‍👧.txt', 'Grüße 👩‍👧.txt'],
  ['.env', '.env'],
  ['../../etc/passwd', 'passwd'],
  ['C:\\Windows\\win.ini', 'win.ini'],
  ['..', 'file'],
  ['a/..', 'file'],
  ['', 'file'],
  ['a/', 'file'],
  ['  . ', 'file'],
  ['name. .', 'name'],
  ['line\nbreak\u0000\u001b[31m.txt', 'linebreak[31m.txt'],
  ['exe.\u202Efdp.txt', 'exe.fdp.txt'],
  ['file:stream?.txt', 'file_stream_.txt'],
  ['a.txt::$DATA', 'a.txt__$DATA'],
  ['-rf', '_-rf'],
  ['--output=x', '_--output=x'],
  [' -rf', '_-rf'],
  ['\u200B-rf', '_-rf'],
  ['..\\-rf', '_-rf'],
  ['-', '_-'],
  ['CLOCK$', '_CLOCK$'],
  ['Desktop.ini', '_Desktop.ini'],
  ['NUL.tar.gz', '_NUL.tar.gz'],
  ['COM1.', '_COM1'],
  ['aux:x', 'aux_x'],
  ['CON', '_CON'],
  ['lpt1.txt', '_lpt1.txt'],
  ['console.txt', 'console.txt'],
  ['con ', '_con'],
  ['con .txt', '_con .txt'],
  ['COM\u00B9.log', '_COM\u00B9.log'],
  ['CONIN$', '_CONIN$'],
  [`con${' '.repeat(300)}.txt`, `_con${' '.repeat(192)}.txt`],
  ['\u00AD\u2060', 'file'],
  ['\u200D', 'file'],
  [`${'a'.repeat(300)}.tar.gz`, `${'a'.repeat(197)}.gz`],
  [`${'\u6F22'.repeat(120)}.txt`, `${'\u6F22'.repeat(65)}.txt`],
  ['\u{1F511}'.repeat(120), '\u{1F511}'.repeat(50)],
])('the name %j is shown and stored as %j', (name, safe) => {
  expect(safeFileName(name)).toBe(safe);
});

test('any name is safe, and a safe name stays as it is', () => {
  fc.assert(
    fc.property(fc.string({ unit: 'binary', maxLength: 250 }), (name) => {
      const safe = safeFileName(name);
      expect(safe).toMatch(/^(?!-)[^/\\:\p{Cc}\p{Bidi_Control}]+(?<![. ])$/u);
      expect(['.', '..']).not.toContain(safe);
      expect(Buffer.byteLength(safe)).toBeLessThanOrEqual(200);
      expect(safeFileName(safe)).toBe(safe);
    }),
    { numRuns: 100 },
  );
});
