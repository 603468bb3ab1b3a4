import { expect, test } from 'vitest';
import { withoutDocumentation } from '../../../../lib/bundling/undocumented-routes.ts';

test('functions are built without the texts of the API reference, on the same lines', () => {
  const source = `export const routes = {
  show: {
    summary: 'Shows it.',
    description: [
      'First.',
      'Second.',
    ].join(' '),
    path: '/description', query: { limit: 1 },
  },
};
`;
  const built = withoutDocumentation(source);
  expect(built).not.toMatch(/Shows|First|Second/);
  expect(built.split('\n')).toHaveLength(source.split('\n').length);
  const line = (text: string) => text.split('\n').findIndex((one) => one.includes('/description'));
  expect(line(built)).toBe(line(source));
});
