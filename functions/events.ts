import { events as invoices } from './invoices/events.ts';
import { events as links } from './links/events.ts';
import { events as oauth } from './oauth/events.ts';
import { events as payments } from './payments/events.ts';
import { type EventOwner, eventOwners } from './shared/contract/event-types.ts';
import type { EventDefinition, EventDefinitions } from './shared/contract/events.ts';
import { events as subscriptions } from './subscriptions/events.ts';
import { events as webhooks } from './webhooks/events.ts';

/** The registry of event types. Webhooks, the OpenAPI document and the tests are derived from it. */
const services = { subscriptions, invoices, payments, links, oauth, webhooks } as const satisfies Record<
  string,
  EventDefinitions
>;

/** A type of event with its place in the registry. */
export interface RegisteredEvent {
  /** Folder under `functions/`. */
  service: string;
  /** `subscription.renewed` */
  type: string;
  owner: EventOwner;
  definition: EventDefinition;
}

/** Every type of event. @throws Error for a type that no service defines. */
export function registeredEvents(): RegisteredEvent[] {
  const definitions = new Map(
    Object.entries(services).flatMap(([service, events]) =>
      Object.entries<EventDefinition>(events).map(([type, definition]) => [type, { service, definition }]),
    ),
  );
  return [...eventOwners].map(([type, owner]) => {
    const defined = definitions.get(type);
    if (defined === undefined) throw new Error(`No service defines the event ${type}`);
    return { type, owner, ...defined };
  });
}
