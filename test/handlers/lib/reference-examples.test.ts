import { expect, test } from 'vitest';
import { registeredRoutes } from '../../../functions/routes.ts';
import { operation } from '../../../lib/openapi/operation.ts';
import { curlCommand } from '../../../lib/reference/examples.ts';
import { referencePage } from '../../../lib/reference/page.ts';

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

test('a text of the contract cannot become markup of the page, nor end a word of the shell', () => {
  const bad = `</script><img src=x onerror=alert(1)>'"`;
  const schema = { type: 'object', properties: { a: { type: 'string', description: bad, examples: [bad] } } };
  const { html } = referencePage({
    openapi: '3.1.1',
    info: { title: bad, version: bad, description: bad },
    servers: [],
    tags: [{ name: 'one', description: bad }],
    'x-tagGroups': [],
    paths: {
      '/one': {
        post: {
          tags: ['one'],
          operationId: 'one.two',
          summary: bad,
          description: bad,
          security: [],
          requestBody: { required: true, content: { 'application/json': { schema: schema as never } } },
          responses: { 200: { description: bad, content: {} } },
        },
      },
    },
    components: { schemas: {}, responses: {}, headers: {} },
  });
  expect(html).not.toContain('<img');
  expect(html.match(/<\/script>/g)).toHaveLength(1);
  const [, command = ''] = /<pre class="curl"[^>]*><code>([\s\S]*?)<\/code>/.exec(html) ?? [];
  expect(command.replaceAll('&#39;', "'")).toContain("'\\''");
});
