import * as z from 'zod/mini';
import { multipart as formWithFiles } from '../../../../../functions/shared/contract/form-route.ts';
import type { Route } from '../../../../../functions/shared/contract/route.ts';
import { endpoint } from '../../../../../functions/shared/lambda/endpoint.ts';
import { type Call, proxyEvent, read } from '../../../../support/call.ts';
import { form, formType, multipart } from '../../../../support/samples/forms.ts';

const common = {
  method: 'POST',
  path: '/test',
  summary: 'A route of the tests.',
  auth: 'none',
  response: z.record(z.string(), z.string()),
  errors: { invalid: 'invalid_request', failed: 'server_error' },
  grants: {},
} as const;

const route = {
  ...common,
  bodyType: formWithFiles,
  body: z.object({ name: z.string(), file: z.optional(z.file()) }),
  maxBodyBytes: 1_000,
} as const satisfies Route;

const handler = endpoint(route, async ({ body: { name, file } }) => ({
  name,
  type: file?.type ?? '',
  bytes: file === undefined ? '' : Buffer.from(await file.arrayBuffer()).toString('hex'),
}));

const ask = async (request: Call) => read(await handler(proxyEvent({ route }, request)));

const file = new File([new Uint8Array([0x1f, 0x8b, 0xff, 0])], 'a "b".gz', { type: 'application/gzip' });

test('a form with a file keeps its bytes, and its texts', async () => {
  const request = await multipart([
    ['name', 'Ä "x"\r\n--'],
    ['file', file],
    ['other', 'ignored'],
  ]);
  expect((await ask(request)).body).toEqual({
    name: 'Ä "x"\r\n--',
    type: 'application/gzip',
    bytes: '1f8bff00',
  });
});

test('a form of more than 1,000 fields is refused, and names none of them', async () => {
  const large = endpoint({ ...route, maxBodyBytes: 200_000 } satisfies Route, async () => ({}));
  const fields = Array.from({ length: 1_001 }, (_, n) => [`f${n}`, ''] as const);
  const request = proxyEvent({ route }, await multipart(fields));
  const { status, body } = read(await large(request));
  expect([status, body.details]).toEqual([400, { body: 'must have at most 1000 fields' }]);
});

test('a form with a file is refused when a field is repeated, of another kind, or missing', async () => {
  const detailsOf = async (...fields: Parameters<typeof multipart>) => {
    const { status, body } = await ask(await multipart(...fields));
    expect(status).toBe(400);
    return body.details;
  };
  const name = ['name', 'a'] as const;
  expect(await detailsOf([name, name])).toEqual({ name: 'must be given once' });
  expect(await detailsOf([name, ['file', file], ['file', file]])).toEqual({ file: 'must be given once' });
  expect(Object.keys(await detailsOf([name, ['file', 'a text']]))).toEqual(['file']);
  expect(Object.keys(await detailsOf([['name', file]]))).toEqual(['name']);
  expect(Object.keys(await detailsOf([['file', file]]))).toEqual(['name']);
});

test('a body is refused that is no such form, too large, or of another type', async () => {
  const { body, headers } = await multipart([['name', 'a']]);
  const cut = body.subarray(0, body.length - 20);
  const refused = async (request: Call) => {
    const { status, body } = await ask(request);
    expect(status).toBe(400);
    return body.details;
  };
  const malformed = { body: 'is not a valid form' };
  expect(await refused({ body: cut, headers })).toEqual(malformed);
  expect(await refused({ body: '--', headers })).toEqual(malformed);
  for (const type of [
    'multipart/form-data',
    'multipart/form-data; boundary=',
    'multipart/form-data; boundary=x',
  ])
    expect(await refused({ body, headers: { 'content-type': type } })).toEqual(malformed);
  expect(await refused({ body: '', headers })).toEqual({ body: 'is required' });
  expect(await refused({ body: new Uint8Array(1_001), headers })).toEqual({
    body: 'must be at most 1000 bytes',
  });
  expect(await refused({ body: form({ name: 'a' }), headers: formType })).toEqual({
    'content-type': 'must be multipart/form-data',
  });
});

test('of a form that takes any field, each one is given once', async () => {
  const open = { ...route, body: z.catchall(z.object({ name: z.string() }), z.string()) } as const;
  const answer = endpoint(open, ({ body }) => body);
  const send = async (...fields: (readonly [string, string])[]) =>
    read(await answer(proxyEvent({ route: open }, await multipart(fields))));
  expect((await send(['name', 'a'], ['entry-1', 'b'])).body).toEqual({ name: 'a', 'entry-1': 'b' });
  expect(await send(['name', 'a'], ['entry-1', 'b'], ['entry-1', 'c'])).toMatchObject({
    status: 400,
    body: { details: { 'entry-1': 'must be given once' } },
  });
});
