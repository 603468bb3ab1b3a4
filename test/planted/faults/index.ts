import type { PlantedFault } from '../fault.ts';
import { faultsOfBilling } from './billing.ts';
import { faultsOfFinance } from './finance.ts';
import { faultsOfOutbox } from './outbox.ts';
import { faultsOfShares } from './shares.ts';
import { faultsOfUpgrades } from './upgrade.ts';

/** Every planted fault. An area has a file of its own, and a line here. */
export const faults: readonly PlantedFault[] = [
  faultsOfBilling,
  faultsOfFinance,
  faultsOfOutbox,
  faultsOfShares,
  faultsOfUpgrades,
].flat();
