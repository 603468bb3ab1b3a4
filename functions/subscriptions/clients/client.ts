import type { output } from 'zod/mini';
import { defined } from '../../shared/contract/defined.ts';
import { isoTime } from '../../shared/runtime/clock.ts';
import type { OneClient } from '../api/responses.ts';

/** A subscriber of an application, as the table keeps him. Times in epoch milliseconds. */
export interface Client extends ClientProfile, ClientStanding {}

/** What the application says of him. */
export interface ClientProfile {
  applicationId: string;
  /** The application's own id of him. */
  externalId: string;
  /** In its canonical form. */
  email: string;
  name?: string;
  /** As JSON text: the table nests 32 levels deep at most and rounds numbers, and metadata is to come back as it was. */
  metadata?: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** Name the first and the latest write of the profile, each by a random text: which of two was first shows in them. */
  createdBy: string;
  writtenBy: string;
}

/** What changes of his subscriptions write beside that; a write of the profile leaves it alone. */
interface ClientStanding {
  /** The one that runs: trialing, active, past due or paused. */
  runningId?: string;
  /** The one that waits for its first payment. */
  pendingId?: string;
  /** When his trial began, if he had one. */
  trialUsedAtMs?: number;
  /** Counts the writes of this part; none is 0. */
  revision?: number;
}

/** A client as his application sees him. */
export function shownClient(client: ClientProfile): output<typeof OneClient>['client'] {
  const { externalId, email, name, metadata, createdAtMs, updatedAtMs } = client;
  return {
    externalId,
    email,
    ...defined({ name }),
    ...(metadata !== undefined && { metadata: JSON.parse(metadata) }),
    createdAt: isoTime(createdAtMs),
    updatedAt: isoTime(updatedAtMs),
  };
}
