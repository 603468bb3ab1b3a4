import type { Registered } from '../../../../../functions/routes.ts';
import { routesByPath } from '../../../../../lib/deployment/gateway/paths.ts';
import { MalformedEncoding } from '../../../../../lib/local/http/proxy-event.ts';
import { router } from '../../../../../lib/local/http/router.ts';

const entries = ['/things/{id}', '/things/mine', '/{any}/mine', '/things/{id}/parts/{part}'].map(
  (path) => ({ id: path, route: { path, method: 'GET' } }) as unknown as Registered,
);
const find = router(routesByPath(entries));

test.each([
  ['/things/mine', '/things/mine', {}],
  ['/things/1', '/things/{id}', { id: '1' }],
  ['/other/mine', '/{any}/mine', { any: 'other' }],
  ['/things/a%2Fb/parts/%C3%A4', '/things/{id}/parts/{part}', { id: 'a/b', part: 'ä' }],
])(
  '%s leads to %s: a literal segment comes before a parameter, values are decoded',
  (path, resource, parameters) => {
    expect(find(path)).toMatchObject({ resource, parameters });
  },
);

test.each(['/', '/things', '/things/', '/things/1/', '/things/1/parts', '/things/1/parts/2/3', '/Things/1'])(
  '%s matches no route',
  (path) => {
    expect(find(path)).toBeUndefined();
  },
);

test('both paths of a route match it, each as its own resource', () => {
  const entry = { id: 'a.b', route: { path: '/v1/a/{id}', alsoAt: '/a/{id}', method: 'GET' } };
  const find = router(routesByPath([entry as unknown as Registered]));
  expect(find('/v1/a/1')).toMatchObject({
    resource: '/v1/a/{id}',
    entries: [entry],
    parameters: { id: '1' },
  });
  expect(find('/a/1')).toMatchObject({ resource: '/a/{id}', entries: [entry], parameters: { id: '1' } });
});

test('a malformed path is refused', () => {
  expect(() => find('/things/%zz')).toThrow(MalformedEncoding);
});
