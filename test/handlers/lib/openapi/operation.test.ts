import { expect, test } from 'vitest';
import * as z from 'zod/mini';
import { registeredRoutes } from '../../../../functions/routes.ts';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import type { Route } from '../../../../functions/shared/contract/route.ts';
import { operation } from '../../../../lib/openapi/operation.ts';
import type { Operation } from '../../../../lib/openapi/types.ts';
import { call } from '../../../support/call.ts';
import { samples } from '../../../support/samples/requests.ts';

function content(from: Operation, status: string) {
  const response = from.responses[status];
  if (response === undefined || !('content' in response)) throw new Error(`No ${status}`);
  return response.content;
}

/** Routes of JSON that refuse an empty request. Path parameters are always present. */
const refusing = registeredRoutes().filter(
  ({ route: { errors, query, body, bodyType } }: { route: Route }) => {
    const required = [query, body].flatMap(
      (part) => (part && z.toJSONSchema(part, { io: 'input' }).required) ?? [],
    );
    return errors.invalid !== undefined && bodyType !== 'form' && bodyType !== 'raw' && required.length > 0;
  },
);

/** Callers that are authenticated by their token before the request is parsed. */
const bearers = new Set<string>(['links', 'operator', 'apiKey', 'application', 'seller']);

test.each(refusing)(
  'the example of an invalid request to $id is the response to an empty request',
  async ({ id, ...rest }) => {
    const invalid = (rest.route as Route).errors.invalid ?? '';
    const { params = {}, headers = {} } = (await samples[id]?.()) ?? {};
    const { status, body } = await call(id, {
      params,
      headers: bearers.has(rest.route.auth) ? headers : {},
      ...defined({ body: rest.route.body && {} }),
    });
    const documented = operation({ id, ...rest }, registeredRoutes());
    expect(content(documented, String(status))['application/json']?.examples?.[invalid]?.value).toEqual(body);
  },
);
