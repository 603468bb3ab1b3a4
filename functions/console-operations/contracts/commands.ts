/** All commands that operators have forms for. */
import { routes as applications } from '../../applications/routes.ts';
import { type Command, commandsOf } from '../../console/contracts/command.ts';
import { routes as operator } from '../../operator/routes.ts';
import { routes as payments } from '../../payments/routes.ts';
import { routes as plans } from '../../plans/routes.ts';
import { routes as portal } from '../../portal/routes.ts';
import { routes as subscriptions } from '../../subscriptions/routes.ts';
import { routes as users } from '../../users/routes.ts';
import { routes as webhooks } from '../../webhooks/routes.ts';

const services = { applications, plans, users, subscriptions, payments, portal, webhooks, operator };

export const commands: readonly Command[] = Object.entries(services).flatMap(([service, routes]) =>
  commandsOf(service, routes),
);

export const commandNamed = (service: string | undefined, name: string | undefined): Command | undefined =>
  commands.find((one) => one.service === service && one.name === name);
