import { globSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { all, configured, resourcesOf } from './synthesized.ts';

const root = join(import.meta.dirname, '../../../../..');

test('no function of a deployment may deliver events to its own machine', () => {
  const functions = [
    ...all('AWS::Lambda::Function'),
    ...Object.entries(resourcesOf(configured)).filter(([, { Type }]) => Type === 'AWS::Lambda::Function'),
  ];
  expect(functions.length).toBeGreaterThan(50);
  for (const [id, { Properties }] of functions) {
    expect(Object.keys(Properties.Environment?.Variables ?? {}), id).not.toContain('WEBHOOK_LOOPBACK');
  }
});

test('the local stack alone sets that events may be delivered to its machine', () => {
  const files = globSync('{lib,bin,functions}/**/*.ts', { cwd: root }).filter((file) =>
    readFileSync(join(root, file), 'utf8').includes('WEBHOOK_LOOPBACK'),
  );
  expect(files.sort()).toEqual(['functions/shared/runtime/env.ts', 'lib/local/environment.ts']);
});
