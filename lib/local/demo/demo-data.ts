import type { DemoOptions } from './call-route.ts';
import { type DemoShares, demoShares } from './shares.ts';
import { type DemoTenants, demoTenants } from './tenants.ts';
import { type DemoVault, demoVault } from './vault.ts';

/** What a newcomer tries the API with. */
export interface Demo extends DemoTenants {
  shares: DemoShares;
  /** Left out when mail goes elsewhere than the mailbox: the code that trusts the device is in a mail. */
  vault?: DemoVault;
}

/**
 * Demo data, made through the API's own handlers when first asked for, remembered, and made anew where it has
 * expired or is gone. The operator key alone is put into the table, as `npm run operator -- bootstrap` does.
 */
export function demoData(options: DemoOptions): () => Promise<Demo> {
  // One after the other, or two first visits would make everything twice.
  let last: Promise<unknown> = Promise.resolve();
  return () => {
    const demo = last.then(async () => {
      const tenants = await demoTenants(options);
      const shares = await demoShares(options);
      const vault = await demoVault(options);
      return { ...tenants, shares, ...(vault && { vault }) };
    });
    last = demo.catch(() => undefined);
    return demo;
  };
}
