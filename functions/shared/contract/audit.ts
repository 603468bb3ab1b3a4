/** Audit records: what operators and users changed, who did it, when, from where and why. They are never changed. */
import { defined } from './defined.ts';
import * as keys from './keys.ts';
import type { Operator } from './operator-scopes.ts';

/** How long the list of all actions goes back. Records of users, applications, subscriptions and operator keys stay in their own lists. */
export const auditListDays = 365;

/** Everything that a reset can end. */
export interface Ended {
  /** Every trusted device, session and token. */
  devices: boolean;
  /** The proof of the master password. */
  proof: boolean;
  /** The stored vault. */
  vault: boolean;
}

/** Who made a write, when and why. Without the fields of an operator, the user did it on the account page. */
export interface Authorship extends Partial<Operator> {
  atMs: number;
  reason?: string;
}

/** The change. `before` contains the former values of the changed fields. */
export type AuditEvent =
  | { event: 'created'; operatorKey?: { name: string; scopes: string[] } }
  | { event: 'changed'; before: Readonly<Record<string, unknown>> }
  | {
      event: 'email_changed' | 'status_changed' | 'verified_changed' | 'name_changed';
      before: { email?: string; status?: string; verified?: boolean; name?: string };
    }
  | { event: 'reset'; reset: Ended }
  | { event: 'grant_withdrawn'; grant: { id: string; applicationId: string } }
  | { event: 'key_created' | 'key_revoked'; key: { id: string; kind: string } }
  | { event: 'revoked' };

/** An audit record. `revision` is that of the user, application or operator key that the write led to. */
export type AuditRecord = Authorship & AuditEvent & { revision: number };

/** Everything that operators do: the kind of the object, and the event. */
export const actions = [
  'application.created',
  'application.changed',
  'application.key_created',
  'application.key_revoked',
  'bank_statement.confirmed',
  'bank_statement.uploaded',
  'client.credit_paid_out',
  'delivery.retried',
  'invoice.credited',
  'link.rejected',
  'link.verified',
  'mail.given_up',
  'mail.redriven',
  'operator_key.created',
  'operator_key.revoked',
  'payment.applied',
  'payment.reallocated',
  'payment.recorded',
  'payment.returned',
  'payment.reversed',
  'plan.changed',
  'plan.created',
  'subscription.changed',
  'subscription.link_mailed',
  'subscription.link_replaced',
  'user.created',
  'user.email_changed',
  'user.enrolment_link_created',
  'user.grant_withdrawn',
  'user.name_changed',
  'user.reset',
  'user.social_account_changed',
  'user.status_changed',
  'user.verified_changed',
  'webhook.changed',
  'webhook.created',
  'webhook.removed',
  'webhook.secret_rotated',
  'webhook.tested',
] as const;

/** An action of an operator on an object. */
export type Action = (typeof actions)[number];

/** The object of an action. `applicationId` is there when it belongs to an application. */
export interface ActionObject {
  kind: string;
  id: string;
  applicationId?: string;
}

/** The attributes that put the record of an action into the list of all, in a partition for each month: none grows for ever. */
export interface ListedAction {
  action: string;
  object: ActionObject;
  list: string;
  listedAt: string;
  /** The facts by which the list filters. */
  listed: Readonly<Record<string, unknown>>;
}

/**
 * The list entry of an action.
 *
 * @param place unique among the actions of a millisecond.
 */
export function listedAction(
  { keyId, atMs }: Operator & { atMs: number },
  { action, object, place }: { action: string; object: ActionObject; place: string },
): ListedAction {
  const at = new Date(atMs).toISOString();
  const { id: objectId, applicationId } = object;
  return {
    action,
    object,
    list: keys.auditListPartition(at.slice(0, 'yyyy-mm'.length)),
    listedAt: `${at}#${place.toWellFormed()}`,
    listed: defined({ keyId, action, objectId, applicationId }),
  };
}

/** The object of a record that has a revision, and that its own list shows. */
export interface AuditedObject extends ActionObject {
  kind: 'application' | 'operator_key' | 'subscription' | 'user';
}

/** The item of an audit record. One of an operator is in the list of all actions too. */
export function auditItem(object: AuditedObject, record: AuditRecord) {
  const { kind, id } = object;
  const { atMs, keyId, name, from, event, revision } = record;
  const key = keys.audit(kind === 'user' ? { userId: id } : { id }, revision);
  // A user did it on the account page.
  if (keyId === undefined || name === undefined || from === undefined) return { ...key, ...record };
  const place = `${kind}#${id}#${revision}`;
  return {
    ...key,
    ...record,
    ...listedAction({ keyId, name, from, atMs }, { action: `${kind}.${event}`, object, place }),
  };
}
