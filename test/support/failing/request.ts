/** Fails, because its request does: a test of the suite runs it to see what it shows. */
import { call } from '../call.ts';

test('a request without a table', async () => {
  process.env.TABLE_NAME = 'no-such-table';
  const { status } = await call('shares.create', { body: { data_blob: 'SGVsbG8', iv: 'AAECAwQFBgcICQoL' } });
  expect(status).toBe(200);
});
