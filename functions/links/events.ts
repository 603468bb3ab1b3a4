import { defineEvents, exampleTime } from '../shared/contract/events.ts';
import { TrustLink } from './api/responses.ts';

export const events = defineEvents({
  'link.verified': {
    summary: 'A reviewer has verified a link.',
    data: TrustLink,
    example: { verificationStatus: 'verified', reviewedAt: exampleTime },
  },
  'link.rejected': {
    summary: 'A reviewer has rejected a link.',
    data: TrustLink,
    example: { verificationStatus: 'rejected', reviewedAt: exampleTime },
  },
  'link.pending': {
    summary:
      'A link that was reviewed waits for another review: it has changed, or the decision was withdrawn.',
    data: TrustLink,
    example: { verificationStatus: 'pending' },
  },
  'link.removed': {
    summary: 'A link was removed; `data` is the link as it was last.',
    data: TrustLink,
    example: { verificationStatus: 'verified', reviewedAt: exampleTime },
  },
});
