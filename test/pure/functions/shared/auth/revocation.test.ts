import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { revocationSeconds } from '../../../../../functions/shared/contract/secret.ts';

const root = join(import.meta.dirname, '../../../../..');
const files = ['README.md', 'docs', 'functions', 'lib'].flatMap((name) =>
  name.endsWith('.md')
    ? [name]
    : readdirSync(join(root, name), { recursive: true, encoding: 'utf8' })
        .filter((file) => /\.(md|ts)$/.test(file) && !file.includes('node_modules'))
        .map((file) => join(name, file)),
);

test('every text that says when a revoked secret stops working names the same time', () => {
  const named = files.flatMap((file) => {
    const text = readFileSync(join(root, file), 'utf8')
      .replaceAll(/\s+/g, ' ')
      .replaceAll(/\$\{revocationSeconds\}/g, 'the-constant');
    return [...text.matchAll(/(?:stops? working|invalid)[^.]{0,40}? within (\S+) seconds/g)].map(
      ([, time]) => ({
        file,
        time,
      }),
    );
  });
  expect(named.length).toBeGreaterThanOrEqual(6);
  const agreed = [String(revocationSeconds), 'the-constant'];
  expect(named.filter(({ time = '' }) => !agreed.includes(time))).toEqual([]);
});
