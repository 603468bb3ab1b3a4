import { faultsOf, type PlantedFault } from '../fault.ts';
import { account } from './account.ts';
import { billing } from './billing.ts';
import { clients } from './clients.ts';
import { console } from './console.ts';
import { deployment } from './deployment.ts';
import { devices } from './devices.ts';
import { finance } from './finance.ts';
import { links } from './links.ts';
import { oauth } from './oauth.ts';
import { operator } from './operator.ts';
import { outbox } from './outbox.ts';
import { pages } from './pages.ts';
import { shared } from './shared.ts';
import { shares } from './shares.ts';
import { subscriptions } from './subscriptions.ts';
import { vault } from './vault.ts';
import { webhooks } from './webhooks.ts';

/** Every planted fault. */
export const faults: readonly PlantedFault[] = [
  account,
  billing,
  clients,
  console,
  deployment,
  devices,
  finance,
  links,
  oauth,
  operator,
  outbox,
  pages,
  shared,
  shares,
  subscriptions,
  vault,
  webhooks,
].flatMap(faultsOf);
