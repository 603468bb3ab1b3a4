import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import type { APIGatewayProxyResult } from 'aws-lambda';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { type GatewayErrorCode, gatewayErrors } from '../../../../functions/shared/contract/errors.ts';
import { gatewayResponse as localGatewayResponse } from '../../../../lib/local/http/gateway-response.ts';
import { openApiDocument } from '../../../../lib/openapi/openapi.ts';
import { differencesFromDocument } from '../../../support/documentation/differences.ts';
import { compared, takeDifferences } from '../../../support/documentation/handlers.ts';
import { comparedHandlers, loadedSource } from '../../../support/documentation/module.ts';

const functionsDir = join(import.meta.dirname, '../../../../functions');

const headers = {
  'content-type': 'application/json; charset=utf-8',
  'cache-control': 'no-store',
  'x-content-type-options': 'nosniff',
  'x-request-id': 'test',
};
const body = {
  client: {
    externalId: 'a',
    email: 'a@example.com',
    createdAt: '2026-01-31T12:00:00.000Z',
    updatedAt: '2026-01-31T12:00:00.000Z',
  },
};
const result = (more: Partial<APIGatewayProxyResult> = {}, sent: unknown = body): APIGatewayProxyResult => ({
  statusCode: 201,
  headers,
  body: JSON.stringify(sent),
  ...more,
});
const id = 'clients.upsert';
const error = (statusCode: number, code: string, message: string) =>
  result({ statusCode }, { error: code, message });

test('a documented response has no differences', () => {
  expect(differencesFromDocument(id, result())).toEqual([]);
  expect(differencesFromDocument(id, result({ statusCode: 200 }))).toEqual([]);
});

test.each([
  ['a status', result({ statusCode: 418 }), `${id} 418: the status is not documented`],
  [
    'a header',
    result({ headers: { ...headers, 'X-New': '1' } }),
    `${id} 201: the header x-new is not documented`,
  ],
  [
    'a missing header',
    result({ headers: { 'content-type': headers['content-type'] } }),
    `${id} 201: the header x-request-id is missing`,
  ],
  [
    'a media type',
    result({ headers: { ...headers, 'content-type': 'text/html' } }),
    `${id} 201: the media type 'text/html' is not documented`,
  ],
  ['a field', result({}, { ...body, more: 1 }), `${id} 201: the body differs: ✖ Unrecognized key: "more"`],
  ['the wording of an error', error(401, 'invalid_token', 'No.'), `${id} 401: the error is not documented`],
])('names operation, status and difference of a response that differs in %s', (_, given, message) => {
  expect(differencesFromDocument(id, given).join('\n')).toContain(message);
});

test.each(Object.keys(gatewayErrors) as GatewayErrorCode[])(
  'the response of API Gateway itself for %s has only documented headers and a documented body',
  (code) => {
    const { headers: documented = {}, content } =
      openApiDocument({ version: '1' }).components.responses.Gateway ?? {};
    const { headers: sent, body: bytes } = localGatewayResponse(code, 'test', ['*'], { allow: 'GET' });
    const { 'content-type': type, ...others } = sent;
    expect(type).toBe('application/json; charset=utf-8');
    expect(Object.keys(others).filter((name) => documented[name] === undefined)).toEqual([]);
    expect(content?.['application/json']?.examples?.[code]?.value).toEqual(JSON.parse(bytes.toString()));
  },
);

describe('a handler that tests load', () => {
  afterEach(() => void takeDifferences());

  test('responds as ever, and what differs is collected for the test that called it', async () => {
    const undocumented = result({ statusCode: 418 });
    const handler = compared(id, async () => undocumented);
    expect(await handler({} as never)).toBe(undocumented);
    expect(takeDifferences()).toEqual([expect.stringContaining(`${id} 418`)]);
    expect(takeDifferences()).toEqual([]);
  });

  test.each(registeredRoutes())(
    '$id is compared, in this process and in one of its own',
    ({ service, name }) => {
      const path = join(functionsDir, service, `${name}.ts`);
      const source = readFileSync(path, 'utf8');
      const wrapped = `export const handler = compared("${service}.${name}", ownHandler);`;
      expect(comparedHandlers.transform(source, path)).toContain(wrapped);
      expect(loadedSource(`file://${path}`, source)).toContain(wrapped);
      // Nothing else exports the handler under its name.
      expect(comparedHandlers.transform(source, path)?.match(/export const handler/g)).toHaveLength(1);
    },
  );
});
