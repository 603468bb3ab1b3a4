import { randomUUID } from 'node:crypto';
import * as keys from '../../../functions/shared/contract/keys.ts';
import { type DemoOptions, demoClient } from './demo-client.ts';
import { type DemoTenants, storedOrCreated } from './tenants.ts';

/** A subscription that is paid, with the page of its subscriber. */
export interface DemoSubscription {
  _id: string;
  referenceNumber: string;
  externalId: string;
  /** Mails to the subscriber are in the mailbox. */
  email: string;
  /** The path of the billing page, `/billing/<token>`. */
  billingPath: string;
}

/** The demo subscription at the application that is paid in the sandbox, created when missing. */
export async function demoSubscription(
  options: DemoOptions,
  { applications, plans }: Pick<DemoTenants, 'applications' | 'plans'>,
): Promise<DemoSubscription> {
  const { _id: applicationId, apiKey } = applications.gateway;
  const client = demoClient(options, apiKey);
  const made = await storedOrCreated<Omit<DemoSubscription, 'billingPath'>>(
    options,
    // Keyed by the application's id: a new application has none of the subscriptions of the former one.
    `demo.subscription.${applicationId}`,
    ({ _id }) => [keys.subscriptionOwner(_id)],
    async () => {
      const externalId = `demo-subscriber-${randomUUID()}`;
      const email = `${externalId}@vouchsafe.example`;
      await client.upsertClient({ externalId, email, name: 'Sue Demo' });
      const { subscription } = await client.createSubscription({
        externalId,
        planId: plans.gateway.paid,
        successUrl: 'http://localhost:8080/thanks',
        cancelUrl: 'http://localhost:8080/plans',
      });
      const { _id, referenceNumber } = subscription;
      await client.activateSubscription({ id: _id });
      return { _id, referenceNumber, externalId, email };
    },
  );
  const { billingUrl } = await client.createBillingLink({ id: made._id });
  return { ...made, billingPath: `/billing/${billingUrl.split('/').at(-1)}` };
}
