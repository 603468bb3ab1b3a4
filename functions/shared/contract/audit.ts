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
  vault: boolean;
}

/** Who made a write, when and why. Without an operator, the user did it on the account page. */
export type Authorship = { atMs: number; reason?: string } & (Operator | { [F in keyof Operator]?: never });

/** The change of an object that has a revision. `before` contains the former values of the changed fields. */
export type AuditChange =
  | { action: 'application.created' | 'operator_key.revoked' | 'user.created' }
  | { action: 'application.changed' | 'subscription.changed'; before: Readonly<Record<string, unknown>> }
  | { action: 'application.key_created' | 'application.key_revoked'; key: { id: string; kind: string } }
  | { action: 'operator_key.created'; operatorKey: { name: string; scopes: string[] } }
  | {
      action: `user.${'email' | 'status' | 'verified' | 'name'}_changed`;
      before: { email?: string; status?: string; verified?: boolean; name?: string };
    }
  | { action: 'user.reset'; reset: Ended }
  | { action: 'user.grant_withdrawn'; grant: { id: string; applicationId: string } };

/** The audit record of a change. `revision` is that of the object that the write led to. */
export type AuditRecord = Authorship & AuditChange & { revision: number };

export const actions = [
  'application.created',
  'application.changed',
  'application.key_created',
  'application.key_revoked',
  'bank_statement.confirmed',
  'bank_statement.uploaded',
  'client.changed',
  'client.created',
  'client.credit_paid_out',
  'delivery.retried',
  'invoice.credited',
  'link.rejected',
  'link.verified',
  'link.decision_withdrawn',
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
  'subscription.billing_link_replaced',
  'subscription.billing_link_sent',
  'subscription.changed',
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

export type Action = (typeof actions)[number];

export interface AuditedObject {
  readonly id: string;
  readonly applicationId?: string | undefined;
}

export function actionOn(action: Action, { id, applicationId }: AuditedObject) {
  const [kind = ''] = action.split('.', 1);
  return { action, object: { kind, id, ...defined({ applicationId }) } };
}

/**
 * The attributes that put a record into the list of all actions, in a partition for each month: none grows for ever. The list
 * filters by the facts of `listed`.
 *
 * @param place unique among the actions of a millisecond.
 */
export function auditListing(
  { keyId, atMs }: { keyId: string; atMs: number },
  { action, object }: ReturnType<typeof actionOn>,
  place: string,
) {
  const at = new Date(atMs).toISOString();
  const { id: objectId, applicationId } = object;
  return {
    list: keys.auditListPartition(at.slice(0, 'yyyy-mm'.length)),
    listedAt: `${at}#${place.toWellFormed()}`,
    listed: defined({ keyId, action, objectId, applicationId }),
  };
}

/** The item of an audit record. One of an operator is in the list of all actions too. */
export function auditItem(audited: AuditedObject, record: AuditRecord) {
  const { atMs, keyId, action, revision } = record;
  const named = actionOn(action, audited);
  const { kind, id } = named.object;
  const key = keys.audit(kind === 'user' ? { userId: id } : { id }, revision);
  // Without an operator, the user did it on the account page.
  const listing =
    keyId === undefined ? {} : auditListing({ keyId, atMs }, named, `${kind}#${id}#${revision}`);
  return { ...key, ...record, ...named, ...listing };
}
