import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { registeredRoutes } from '../../../functions/routes.ts';
import type { Route } from '../../../functions/shared/contract/route.ts';
import { type Answered, type Call, call } from '../../support/call.ts';
import { samples } from '../../support/samples/requests.ts';

const documentation = readFileSync(join(import.meta.dirname, '../../../docs/errors.md'), 'utf8');

/** The row of an operation in the table of the documentation: a repeat, and a repeat with an Idempotency-Key. */
const documented = new Map(
  [...documentation.matchAll(/^\| (`[a-z-]+\.[a-z-]+`[^|]*) \| ([^|]*) \| ([^|]*) \|/gm)].flatMap(
    ([, ids = '', plain, keyed]) =>
      ids
        .replaceAll('`', '')
        .split(', ')
        .map((id) => [id, { plain: plain?.replaceAll('`', ''), keyed: keyed?.replaceAll('`', '') }] as const),
  ),
);

const changes = registeredRoutes().filter(({ route }) => route.method !== 'GET');

/** An operation without a row gets the same response again. */
const documentedOf = (id: string) => documented.get(id) ?? { plain: 'the same', keyed: '' };

test('the table of repeats lists operations that change something, and no other', () => {
  const ids = changes.map(({ id }) => id);
  expect(documented.size).toBeGreaterThan(20);
  expect([...documented.keys()].filter((id) => !ids.includes(id))).toEqual([]);
});

/** How the response to a repeat relates to the first one. The time of the last update and the count of updates are not compared. */
function outcome(first: Answered, repeat: Answered): string {
  const shown = ({ text, headers }: Answered) =>
    text.replace(/"updatedAt":"[^"]*"/, '').replace(/"revision":\d+/, '') + (headers.location ?? '');
  const { status, body } = repeat;
  if (status === first.status) return shown(first) === shown(repeat) ? 'the same' : 'another record';
  return [status, body.error].filter((part) => part !== undefined).join(' ');
}

async function repeated(id: string, request: Call): Promise<string> {
  const first = await call(id, request);
  expect(first.status).toBeLessThan(400);
  return outcome(first, await call(id, request));
}

describe.each(changes)('$id', ({ id, route }) => {
  const takesKey = Object.hasOwn((route as Route).headers?.shape ?? {}, 'idempotency-key');

  test('responds to a repeat as documented', async () => {
    expect(await repeated(id, (await samples[id]?.()) ?? {})).toBe(documentedOf(id).plain);
    if (!takesKey) return expect(documentedOf(id).keyed).toBe('');
    const { headers, ...request } = (await samples[id]?.()) ?? {};
    const keyed = { ...request, headers: { ...headers, 'idempotency-key': 'first' } };
    expect(await repeated(id, keyed)).toBe(documentedOf(id).keyed);
  });
});
