import { gzipSync } from 'node:zlib';
import { sharePageScript } from '../../../../lib/deployment/bundling/page-scripts.ts';

test('the script of the share page has at most 40 KB compressed, and 200 KB uncompressed', async () => {
  const script = await sharePageScript();
  expect(gzipSync(script).length).toBeLessThanOrEqual(40_000);
  expect(Buffer.byteLength(script)).toBeLessThan(200_000);
});

test('the script of the share page has the same bytes in every build', async () => {
  expect(await sharePageScript()).toBe(await sharePageScript());
});

test('the script of the share page imports nothing, and evaluates no text', async () => {
  const script = await sharePageScript();
  expect(script).not.toMatch(/\bimport\s*["'{(]|\bfrom\s*["']/);
  expect(script).not.toMatch(/\beval\(|new Function\(/);
});
