import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { operation } from '../../../../lib/openapi/operation.ts';
import { curlCommand } from '../../../../lib/reference/examples.ts';

const registry = registeredRoutes();

test.each(registry)('the example of $id is a request of its method and path', (entry) => {
  const { route } = entry;
  const command = curlCommand(route.method, route.path, operation(entry, registry), {});
  const [fixed = ''] = route.path.split('{');
  expect(command.startsWith('curl ')).toBe(true);
  expect(command).toContain(`"$api${fixed}`);
  expect(command.split('\n', 1)[0], 'every parameter of the path is filled in').not.toMatch(/[{}]/);
  if (route.method === 'DELETE' || route.method === 'PUT') expect(command).toContain(`-X ${route.method}`);
  if (route.body !== undefined) expect(command).toMatch(/ -d '|--data-urlencode|-X POST/);
});
