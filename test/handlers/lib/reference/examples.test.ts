import { registeredRoutes } from '../../../../functions/routes.ts';
import { javaScript } from '../../../../lib/reference/examples/client.ts';
import { curlExample } from '../../../../lib/reference/examples/curl.ts';
import { literal } from '../../../../lib/reference/examples/literal.ts';
import { pythonExample } from '../../../../lib/reference/examples/python.ts';
import { exampleRequest } from '../../../../lib/reference/examples/request.ts';
import { documentedOperations } from '../../../support/documentation/differences.ts';

describe.each(registeredRoutes())('the example of $id', ({ id, route }) => {
  const operation = documentedOperations().get(id);
  if (operation === undefined) throw new Error(`${id} is not documented`);
  const request = exampleRequest(route.method, route.path, operation, {});
  const [fixed = ''] = route.path.split('{');

  test('is a request of its method and path', () => {
    const command = curlExample(request);
    expect(command.startsWith('curl ')).toBe(true);
    expect(command).toContain(`"$api${fixed}`);
    expect(command.split('\n', 1)[0], 'every parameter of the path is filled in').not.toMatch(/[{}]/);
    if (route.method === 'DELETE' || route.method === 'PUT') expect(command).toContain(`-X ${route.method}`);
    if (route.body !== undefined) expect(command).toMatch(/ -d '|--data-urlencode|-X POST/);
    expect(pythonExample(request)).toContain(`requests.${route.method.toLowerCase()}(\n    f"{api}${fixed}`);
  });
});

test('a value is written as JavaScript that yields it', () => {
  const value = {
    a: "it's",
    b: ['x', 1, null, { 'c-d': true }],
    e: {},
    f: 'line\n"quoted"',
    g: 'x'.repeat(70),
  };
  expect(new Function(`return ${literal(value, javaScript)}`)()).toEqual(value);
  expect(literal({ externalId: 'user-4711', quantity: 2 }, javaScript)).toBe(
    "{ externalId: 'user-4711', quantity: 2 }",
  );
});
