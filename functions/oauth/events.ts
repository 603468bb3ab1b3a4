import { Consent } from '../shared/auth/grants/consent.ts';
import { defineEvents } from '../shared/contract/events.ts';

export const events = defineEvents({
  'consent.granted': { summary: 'A user has granted the application access.', data: Consent },
  'consent.withdrawn': {
    summary: 'A consent has ended before it expired, and its tokens with it.',
    data: Consent,
  },
});
