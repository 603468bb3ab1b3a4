/** All commands that operators have forms for. Other contracts of their services would only enlarge the bundle. */
import { type Command, commandsOf } from '../../console/contracts/command.ts';
import { commands as applications } from './applications.ts';
import { commands as clients } from './clients.ts';
import { commands as operator } from './operator.ts';
import { commands as payments } from './payments.ts';
import { commands as plans } from './plans.ts';
import { commands as portal } from './portal.ts';
import { commands as subscriptions } from './subscriptions.ts';
import { commands as users } from './users.ts';
import { commands as webhooks } from './webhooks.ts';

const services = { applications, plans, clients, users, subscriptions, payments, portal, webhooks, operator };

export const commands: readonly Command[] = Object.entries(services).flatMap(([service, routes]) =>
  commandsOf(service, routes),
);

export const commandNamed = (service: string | undefined, name: string | undefined): Command | undefined =>
  commands.find((one) => one.service === service && one.name === name);
