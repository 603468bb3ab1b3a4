import { defineEvents } from '../shared/contract/events.ts';
import { TrustLink } from './api/responses.ts';

export const events = defineEvents({
  'link.verified': { summary: 'A reviewer has verified a link.', data: TrustLink },
  'link.rejected': { summary: 'A reviewer has rejected a link.', data: TrustLink },
  'link.pending': {
    summary: 'A link that was reviewed has changed, and waits for another review.',
    data: TrustLink,
  },
  'link.removed': { summary: 'A link was removed; `data` is the link as it was last.', data: TrustLink },
});
