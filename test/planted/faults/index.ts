import type { PlantedFault } from '../fault.ts';
import { faultsOfAccount } from './account.ts';
import { faultsOfBilling } from './billing.ts';
import { faultsOfDevices } from './devices.ts';
import { faultsOfFinance } from './finance.ts';
import { faultsOfLinks } from './links.ts';
import { faultsOfOauth } from './oauth.ts';
import { faultsOfOutbox } from './outbox.ts';
import { faultsOfShares } from './shares.ts';
import { faultsOfSubscriptions } from './subscriptions.ts';
import { faultsOfUpgrades } from './upgrade.ts';
import { faultsOfVault } from './vault.ts';

/** Every planted fault. An area has a file of its own, and a line here. */
export const faults: readonly PlantedFault[] = [
  faultsOfAccount,
  faultsOfBilling,
  faultsOfDevices,
  faultsOfFinance,
  faultsOfLinks,
  faultsOfOauth,
  faultsOfOutbox,
  faultsOfShares,
  faultsOfSubscriptions,
  faultsOfUpgrades,
  faultsOfVault,
].flat();
