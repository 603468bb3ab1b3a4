import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { operations } from '../../../../../lib/client/api/operations.ts';
import { generatedFiles } from '../../../../../lib/client/package/generated-files.ts';

test('the generated sources are those of the present document: their hash covers all that they follow from', async () => {
  for (const [name, text] of await generatedFiles()) {
    const stored = readFileSync(join(import.meta.dirname, '../../../../..', name), 'utf8');
    expect(stored.endsWith(text), name).toBe(true);
    // Under a third of what the whole document gives.
    expect(text.split('\n').length).toBeLessThan(6_000);
  }
});

test('only requests that a repeat leaves as they are have an Idempotency-Key, a cursor or a form', () => {
  expect(operations.createSubscription).toEqual({
    method: 'POST',
    path: '/subscriptions',
    keys: ['vak'],
    idempotent: true,
  });
  expect(operations.listEvents).toMatchObject({ list: 'events', cursor: 'after' });
  expect(operations.getReview).toMatchObject({ list: 'history' });
  expect(operations.openShare).toMatchObject({ keys: [], once: true });
  expect(operations.getVault).toMatchObject({ keys: ['vat'], optionalKey: true });
  expect(operations.createToken).toMatchObject({ form: true });
});
