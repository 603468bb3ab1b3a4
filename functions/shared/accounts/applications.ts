import { found } from '../contract/errors.ts';
import * as keys from '../contract/keys.ts';
import type { ApplicationKeyKind } from '../contract/secret.ts';
import { getRecord, recordReader } from '../table/record.ts';
import { batchGetItems, type Item } from '../table/table.ts';
import type { ApplicationSettings } from './application-settings.ts';

/** Its own record has the hash as its key. Times in epoch milliseconds. */
export interface ApplicationKey {
  kind: ApplicationKeyKind;
  hash: string;
  hint: string;
  createdAtMs: number;
  expiresAtMs?: number;
}

export interface Application extends Item {
  applicationId: string;
  name: string;
  redirectUris: readonly string[];
  settings: ApplicationSettings;
  /** By key id. */
  keys: Readonly<Record<string, ApplicationKey>>;
  /** Incremented by every write; a write is conditioned on the revision that it read. */
  revision: number;
  createdAtMs: number;
  /** Last change of name, redirect URIs or settings. Absent before the first change. */
  updatedAtMs?: number;
  /** When the last key was revoked, or the first after that created: what users granted until then has ended. */
  tokensRevokedAtMs?: number;
}

export const readApplication = recordReader<Application>(['applicationId', 'settings']);

export async function getApplication(applicationId: string): Promise<Application | undefined> {
  // Ids are shorter, and a partition key is limited to 2,048 bytes: a longer text cannot exist.
  if (applicationId.length > 128) return undefined;
  return getRecord(keys.application(applicationId), readApplication);
}

/** @throws ApiError `not_found` */
export async function foundApplication(applicationId: string): Promise<Application> {
  const application = found(await getApplication(applicationId));
  return application;
}

/** Up to 100 applications by their ids, strongly consistent and in one read. Those that do not exist are left out. */
export async function getApplications(applicationIds: readonly string[]): Promise<Map<string, Application>> {
  const wanted = [...new Set(applicationIds)].map((id) => keys.application(id));
  const found = (await batchGetItems(wanted)).map(readApplication);
  return new Map(found.map((application) => [application.applicationId, application]));
}
