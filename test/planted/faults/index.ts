import type { PlantedFault } from '../fault.ts';
import { faultsOfAccount } from './account.ts';
import { faultsOfApiClient } from './api-client.ts';
import { faultsOfBilling } from './billing/billing.ts';
import { faultsOfCreditNotes } from './billing/credit-notes.ts';
import { faultsOfFinance } from './billing/finance.ts';
import { faultsOfJournal } from './billing/journal.ts';
import { faultsOfOutbox } from './billing/outbox.ts';
import { faultsOfSubscriptions } from './billing/subscriptions.ts';
import { faultsOfClients } from './clients.ts';
import { faultsOfCodes } from './codes.ts';
import { faultsOfConsole } from './console.ts';
import { faultsOfDevelopers } from './console-developers.ts';
import { faultsOfDeliveries } from './deliveries.ts';
import { faultsOfDeployments } from './deployment.ts';
import { faultsOfDevices } from './devices.ts';
import { faultsOfLinks } from './links.ts';
import { faultsOfOauth } from './oauth.ts';
import { faultsOfOperator } from './operator.ts';
import { faultsOfPages } from './pages.ts';
import { faultsOfRequests } from './requests.ts';
import { faultsOfSecrets } from './secrets.ts';
import { faultsOfShared } from './shared.ts';
import { faultsOfShares } from './shares.ts';
import { faultsOfUpgrades } from './upgrade.ts';
import { faultsOfVault } from './vault.ts';
import { faultsOfWebhooks } from './webhooks.ts';

/** Every planted fault. An area has a file of its own, and a line here. */
export const faults: readonly PlantedFault[] = [
  faultsOfAccount,
  faultsOfApiClient,
  faultsOfBilling,
  faultsOfClients,
  faultsOfCodes,
  faultsOfConsole,
  faultsOfCreditNotes,
  faultsOfDeliveries,
  faultsOfDeployments,
  faultsOfDevelopers,
  faultsOfDevices,
  faultsOfFinance,
  faultsOfJournal,
  faultsOfLinks,
  faultsOfOauth,
  faultsOfOperator,
  faultsOfOutbox,
  faultsOfPages,
  faultsOfRequests,
  faultsOfSecrets,
  faultsOfShared,
  faultsOfShares,
  faultsOfSubscriptions,
  faultsOfUpgrades,
  faultsOfVault,
  faultsOfWebhooks,
].flat();
