import { keys } from '../contract/keys.ts';
import type { SecretKind } from '../contract/secret.ts';
import { getItem, type Item } from '../table/table.ts';
import type { ApplicationSettings } from './application-settings.ts';

/** The kinds of secrets that an application has of its own. */
export type ApplicationKeyKind = Extract<SecretKind, 'client_secret' | 'api_key'>;

/** A secret as the application's record shows it; the secret itself is found by its hash alone. Times in epoch ms. */
export interface ApplicationKey {
  kind: ApplicationKeyKind;
  hash: string;
  hint: string;
  createdAtMs: number;
  expiresAtMs?: number;
}

/** A third party's application, on which all that it stores hangs. */
export interface Application extends Item {
  applicationId: string;
  name: string;
  redirectUris: readonly string[];
  settings: ApplicationSettings;
  /** By key id. */
  keys: Readonly<Record<string, ApplicationKey>>;
  /** Counts the writes; a write is bound to the one it read. */
  revision: number;
  createdAtMs: number;
  /** Of its name, redirect URIs or settings; as it was created without. */
  updatedAtMs?: number;
}

export async function getApplication(applicationId: string): Promise<Application | undefined> {
  // Ids of ours are shorter, and a key holds 2,048 bytes: a longer text is nobody's.
  if (applicationId.length > 128) return undefined;
  return (await getItem(keys.application(applicationId))) as Application | undefined;
}
