/** A client moves to another country while their subscription runs. */
import { expect, test } from 'vitest';
import { defined } from '../../../../functions/shared/contract/defined.ts';
import { call } from '../../../support/call.ts';
import {
  asSeller,
  good,
  goodClient,
  newClient,
  newPlan,
  newSeller,
  subscribedByTransfer,
} from '../../../support/subscriptions/requests.ts';
import { daysLater, onTestClock, step } from '../../../support/subscriptions/steps.ts';
import { expectSound, storedSubscription } from '../../../support/subscriptions/stored-state.ts';
import { germanSeller, germanTax } from '../../../support/subscriptions/taxed.ts';
import { leaveOutPdfs } from '../../../support/subscriptions/unrendered-pdfs.ts';

onTestClock();
leaveOutPdfs();

const home = { line1: 'Main Street 1', city: 'Town', country: 'DE' };

test.each([undefined, 'refuse'])(
  'a member state without a rate takes no tax away: withoutRate %s',
  async (withoutRate) => {
    const tax = defined({ ...germanTax, withoutRate });
    const seller = await newSeller('none', { seller: germanSeller, tax });
    const [externalId, planId] = await Promise.all([
      newClient(seller, { address: home }),
      newPlan(seller, { price: 119 }),
    ]);
    await subscribedByTransfer(seller, { externalId, planId });
    const body = goodClient({ externalId, address: { ...home, country: 'AT' } });
    good(await call('clients.upsert', { headers: asSeller(seller), body }));
    daysLater(24);
    await step((await storedSubscription(seller, externalId)).subscription);
    expect((await storedSubscription(seller, externalId)).invoices).toMatchObject([
      { taxes: [{ country: 'DE', taxMinor: 1_900 }] },
      { customer: { address: { country: 'AT' } }, taxes: [{ country: 'DE', taxMinor: 1_900 }] },
    ]);
    await expectSound(seller, externalId);
  },
);
