import type { ZodMiniType } from 'zod/mini';
import type { EventType } from './event-types.ts';
import type { ApplicationKeyKind } from './secret.ts';

/** A type of event, as a literal that the OpenAPI document, the endpoints and the tests read. */
export interface EventDefinition {
  /** One sentence: what has happened. */
  readonly summary: string;
  /** The object that the event is about, as the API shows it. */
  readonly data: ZodMiniType;
  /**
   * Fields of `data` in the example of the event: those without which the example would contradict the event. Any other
   * field that is required has the first value that its schema allows.
   */
  readonly example: EventExample;
}

export type EventExample = Readonly<Record<string, unknown>>;

/** The time of everything in examples of events. */
export const exampleTime = '2026-01-31T12:00:00.000Z';

export type EventDefinitions = Readonly<Partial<Record<EventType, EventDefinition>>>;

export interface Audience {
  keyKind: ApplicationKeyKind;
  webhookId?: string;
}

export const defineEvents = <const T extends EventDefinitions>(events: T): T => events;

/** How long an event can be read and delivered, in days. */
export const eventRetentionDays = 30;

/** The most events of one group: the position of an event is one digit. */
export const maxEventsOfGroup = 10;
