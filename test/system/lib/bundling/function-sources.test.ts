import { transform } from 'esbuild';
import { expect, test } from 'vitest';
import { asRemovable } from '../../../../lib/bundling/function-sources.ts';

const source = `const shared = {
  PLAN: ['GetItem'],
} as const;

export const change = {
  table: { ...shared, EVENT: ['PutItem'] },
} as const;
export const step = change.table;
`;

test('constants of grants keep their values, and are left out where nothing reads them', async () => {
  const removable = asRemovable(source);
  const { code } = await transform(removable, { loader: 'ts', format: 'cjs' });
  const module = { exports: {} };
  new Function('module', code)(module);
  expect(module.exports).toMatchObject({ step: { PLAN: ['GetItem'], EVENT: ['PutItem'] } });
  const unread = removable.replaceAll('export ', '');
  expect((await transform(unread, { loader: 'ts', format: 'esm', treeShaking: true })).code.trim()).toBe('');
});
