import { defineEvents } from '../shared/contract/events.ts';

export const events = defineEvents({});
