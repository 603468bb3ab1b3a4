import type { output } from 'zod/mini';
import { keySource, type Shown, tokenSource } from '../shared/auth/codes/mailbox-store.ts';
import type { PresentedDeviceProof } from '../shared/contract/device-proof.ts';
import type { CodeHeaders } from './device.ts';

/** The proofs, in a request for a code or with one, that only the owner of the mailbox can have. A malformed one counts as none. */
export function shownBy(
  presented: PresentedDeviceProof,
  { 'x-enrolment-token': enrolment }: output<typeof CodeHeaders>,
): Shown {
  if (presented.kind === 'token') return { device: tokenSource(presented.tokenHash), enrolment };
  if (presented.kind === 'key') return { device: keySource(presented.keyThumbprint), enrolment };
  return { enrolment };
}
