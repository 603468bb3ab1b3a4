import { expect, test } from 'vitest';
import { dayMs } from '../../../../../functions/shared/runtime/duration.ts';
import { liveUntil } from '../../../../support/subscriptions/courses.ts';
import {
  newClient,
  newPlan,
  newSeller,
  subscribedByTransfer,
} from '../../../../support/subscriptions/requests.ts';
import { onTestClock } from '../../../../support/subscriptions/steps.ts';
import { expectSound, stateOf } from '../../../../support/subscriptions/stored-state.ts';
import { leaveOutPdfs } from '../../../../support/subscriptions/unrendered-pdfs.ts';
import type { Tenant } from '../../../../support/tenants.ts';

onTestClock();
leaveOutPdfs();

const at = (iso: string) => Date.parse(iso);

async function paid(seller: Tenant, externalId: string, planId: string) {
  return stateOf(seller, externalId, await subscribedByTransfer(seller, { externalId, planId }));
}

test('a client who lapses and subscribes again within the grace, five times, pays for every day', async () => {
  const seller = await newSeller();
  const [externalId, planId] = await Promise.all([newClient(seller), newPlan(seller)]);
  const terms = [await paid(seller, externalId, planId)];
  for (let i = 0; i < 5; i += 1) {
    await liveUntil((terms.at(-1)?.termEndMs ?? 0) + 6 * dayMs, () => stateOf(seller, externalId));
    terms.push(await paid(seller, externalId, planId));
  }
  for (const [i, { termStartMs }] of terms.entries())
    if (i > 0) expect(termStartMs).toBe(terms[i - 1]?.termEndMs);
  expect(terms.at(-1)?.termEndMs).toBe(at('2027-09-10T12:00:00.000Z'));
  await expectSound(seller, externalId);
});
