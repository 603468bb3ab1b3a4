import type { PresentedDeviceProof } from './device-proof.ts';
import type { ApplicationKeyKind } from './secret.ts';

export interface Callers {
  none: undefined;
  /** Anyone. The caller may present the proof of possession of a device. */
  device: PresentedDeviceProof;
  /** A trusted device (`x-device-id`) and a proof of the master password (`x-auth-hash`). */
  proof: ProvenCaller;
  /** As `proof` where the deployment requires it, otherwise none. */
  management: ProvenCaller | undefined;
  /** An application, by its client secret or by an access token that a user granted it. */
  links: LinksCaller;
  /** An operator of the service or a reviewer of links, by operator key. */
  operator: {
    keyId: string;
    /** The person who uses the key. */
    name: string;
    /** The address that the request came from. */
    from: string;
    reason?: string;
  };
  /** An operator of any scope. The answer has what the scopes of the key cover. */
  anyOperator: { scopes: readonly string[] };
  /** An application, by its client secret or API key, or an operator who names the application. */
  application: ApplicationCaller;
  seller: SellerCaller;
  /** An application, by the API key that gives access to its subscriptions. */
  apiKey: { applicationId: string };
}

export type ApplicationCaller =
  | { applicationId: string; by: ApplicationKeyKind }
  | { applicationId: string; by: 'operator'; operator: Callers['operator'] };

export type SellerCaller =
  | { applicationId: string; by: 'api_key' }
  | { applicationId: string; by: 'operator'; operator: Callers['operator'] };

/** An application. With a token it acts for one user, within the scopes that the user granted. */
export type LinksCaller =
  | { applicationId: string; by: 'secret' }
  | { applicationId: string; by: 'token'; userId: string; scopes: readonly string[] };

/** A user on a trusted device who has proved the master password or sent an access token. */
export interface ProvenCaller {
  userId: string;
  /** 64 lowercase hex digits, never stored as received. Absent when an access token replaces the proof. */
  authHash?: string;
  /** The id of the stored proof that the caller passed. Undefined while the user has none that is valid. */
  proofId: string | undefined;
  /** The id of a stored proof that is no longer valid. A new vault replaces the vault of that proof. */
  formerProofId?: string | undefined;
  /** The user's security stamp, under which a new proof is stored. */
  securityStamp?: string | undefined;
}

export type Auth = keyof Callers;
