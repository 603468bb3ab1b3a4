import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { curlCommand } from '../../../../lib/reference/examples.ts';
import { documentedOperations } from '../../../support/documentation/differences.ts';

test.each(registeredRoutes())('the example of $id is a request of its method and path', ({ id, route }) => {
  const operation = documentedOperations().get(id);
  if (operation === undefined) throw new Error(`${id} is not documented`);
  const command = curlCommand(route.method, route.path, operation, {});
  const [fixed = ''] = route.path.split('{');
  expect(command.startsWith('curl ')).toBe(true);
  expect(command).toContain(`"$api${fixed}`);
  expect(command.split('\n', 1)[0], 'every parameter of the path is filled in').not.toMatch(/[{}]/);
  if (route.method === 'DELETE' || route.method === 'PUT') expect(command).toContain(`-X ${route.method}`);
  if (route.body !== undefined) expect(command).toMatch(/ -d '|--data-urlencode|-X POST/);
});
