import { events as links } from './links/events.ts';
import { events as oauth } from './oauth/events.ts';
import type { EventDefinition, EventDefinitions } from './shared/contract/events.ts';
import type { ApplicationKeyKind } from './shared/contract/secret.ts';
import { events as subscriptions } from './subscriptions/events.ts';
import { events as webhooks } from './webhooks/events.ts';

/** The kind of key that an event is for. An event about a webhook is for the kind of key that the webhook is for. */
type EventOwner = ApplicationKeyKind | 'of_webhook';

/**
 * The registry of event types, and the kind of key that sees the events of each service. Webhooks, the OpenAPI document and the
 * tests are derived from it.
 */
const services = {
  subscriptions: { owner: 'api_key', events: subscriptions },
  links: { owner: 'client_secret', events: links },
  oauth: { owner: 'client_secret', events: oauth },
  webhooks: { owner: 'of_webhook', events: webhooks },
} as const satisfies Record<string, { owner: EventOwner; events: EventDefinitions }>;

/** A type of event with its place in the registry. */
export interface RegisteredEvent {
  /** Folder under `functions/`. */
  service: string;
  /** `subscription.renewed` */
  type: string;
  owner: EventOwner;
  definition: EventDefinition;
}

/** Every type of event. */
export function registeredEvents(): RegisteredEvent[] {
  return Object.entries(services).flatMap(([service, { owner, events }]) =>
    Object.entries<EventDefinition>(events).map(([type, definition]) => ({
      service,
      type,
      owner,
      definition,
    })),
  );
}
