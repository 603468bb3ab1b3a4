import { Consent } from '../shared/auth/grants/consent.ts';
import { defineEvents, exampleTime } from '../shared/contract/events.ts';

export const events = defineEvents({
  'consent.granted': { summary: 'A user has granted the application access.', data: Consent, example: {} },
  'consent.withdrawn': {
    summary: 'A consent has ended before it expired, and its tokens with it.',
    data: Consent,
    example: { withdrawnAt: exampleTime, by: 'user' },
  },
});
