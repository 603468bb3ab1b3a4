import { handler as create } from '../../functions/shares/create.ts';
import { call, proxyEvent, read, registered } from '../support/call.ts';

test('a one-time share opens once', async () => {
  // The handler itself, with the event of API Gateway.
  const body = { data_blob: 'SGVsbG8', iv: 'AAECAwQFBgcICQoL', one_time: true };
  const created = read(await create(proxyEvent(registered('shares.create'), { body })));
  expect(created).toMatchObject({ status: 200, body: { shareId: expect.any(String) } });

  // The same by the name of a route, with nothing but the grants that its function has.
  const open = () => call('shares.open', { query: { id: created.body.shareId } });
  expect([(await open()).status, (await open()).status]).toEqual([200, 404]);
});
