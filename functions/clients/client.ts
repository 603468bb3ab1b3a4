import type { PostalAddress } from '../shared/fields/postal-address.ts';

/** A subscriber of an application, as stored. Times in epoch milliseconds. */
export interface Client extends ClientProfile, ClientState {}

/** The part that the application provides. */
export interface ClientProfile {
  applicationId: string;
  externalId: string;
  /** In canonical form. */
  email: string;
  name?: string;
  address?: PostalAddress;
  vatId?: string;
  /** As JSON text, so that it is returned unchanged: DynamoDB allows 32 levels of nesting and rounds numbers. */
  metadata?: string;
  createdAtMs: number;
  updatedAtMs: number;
  /** Random ids of the first and the latest write of the profile. They show which of two concurrent writes was first. */
  createdBy: string;
  writtenBy: string;
}

/** The part that transitions write. A write of the profile leaves it unchanged. */
interface ClientState {
  runningId?: string;
  pendingId?: string;
  trialUsedAtMs?: number;
  /** The client's credit by currency, in minor units. Invoices use it before they ask for money. */
  credit?: Readonly<Record<string, number>>;
  /** Incremented by every write of this part; absent for 0. */
  revision?: number;
}
