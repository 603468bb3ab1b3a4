import { defined } from '../../../functions/shared/contract/defined.ts';
import { inTurn } from '../in-turn.ts';
import type { DemoOptions } from './demo-client.ts';
import { type DemoShares, demoShares } from './shares.ts';
import { type DemoSubscription, demoSubscription } from './subscription.ts';
import { type DemoTenants, demoTenants } from './tenants.ts';
import { type DemoVault, demoVault } from './vault.ts';
import { type DemoWebhooks, demoWebhooks } from './webhooks.ts';

/** Data to try the API with. */
export interface Demo extends DemoTenants {
  shares: DemoShares;
  webhooks: DemoWebhooks;
  subscription: DemoSubscription;
  /** Absent when mail does not go to the mailbox: the code that verifies the device comes by mail. */
  vault?: DemoVault;
}

/**
 * Demo data. It is created through the API's own handlers on first request, stored, and created again where it has
 * expired or was deleted. Only the operator key is written to the table directly, as `npm run operator -- bootstrap` does.
 */
export function demoData(options: DemoOptions): () => Promise<Demo> {
  // Two concurrent first requests would create everything twice.
  const one = inTurn();
  return () =>
    one(async () => {
      const tenants = await demoTenants(options);
      // First, so that their events include those of the other data.
      const webhooks = await demoWebhooks(options, tenants);
      const shares = await demoShares(options);
      const subscription = await demoSubscription(options, tenants);
      const vault = await demoVault(options, tenants.operatorKey);
      return { ...tenants, webhooks, shares, subscription, ...defined({ vault }) };
    });
}
