import { events as links } from './links/events.ts';
import { events as oauth } from './oauth/events.ts';
import type { EventDefinition, EventDefinitions } from './shared/contract/events.ts';
import { events as subscriptions } from './subscriptions/events.ts';
import { events as webhooks } from './webhooks/events.ts';

/** The registry of event types. Webhooks, the OpenAPI document and the tests are derived from it. */
const services = { subscriptions, links, oauth, webhooks } as const satisfies Record<
  string,
  EventDefinitions
>;

/** A type of event with its place in the registry. */
export interface RegisteredEvent {
  /** Folder under `functions/`. */
  service: string;
  /** `subscription.renewed` */
  type: string;
  definition: EventDefinition;
}

/** Every type of event. */
export function registeredEvents(): RegisteredEvent[] {
  return Object.entries(services).flatMap(([service, events]) =>
    Object.entries<EventDefinition>(events).map(([type, definition]) => ({ service, type, definition })),
  );
}
