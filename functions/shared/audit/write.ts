import { isDeepStrictEqual } from 'node:util';
import {
  type Action,
  type AuditedObject,
  type AuditRecord,
  actionOn,
  auditItem,
  auditListDays,
  auditListing,
} from '../contract/audit.ts';
import type { ApplicationCaller, SellerCaller } from '../contract/callers.ts';
import { defined } from '../contract/defined.ts';
import * as keys from '../contract/keys.ts';
import type { Operator } from '../contract/operator-scopes.ts';
import { clock, dayMs } from '../runtime/clock.ts';
import { newId } from '../runtime/ids.ts';
import { notExists, type Write } from '../table/table.ts';

export type AuditWrite = Extract<Write, { Put: unknown }>;

export function auditWrite(object: AuditedObject, record: AuditRecord): AuditWrite {
  return { Put: { Item: auditItem(object, record), ConditionExpression: notExists } };
}

/** `reason` is in the words of the operator. */
export interface NewAction extends AuditedObject {
  readonly action: Action;
  readonly reason?: string | undefined;
  readonly before?: Readonly<Record<string, unknown>> | undefined;
}

/**
 * The record of an action, for the transaction that does it. A request of several transactions has it in each of them: they write
 * one record, however far the request gets.
 */
export function actionWrite(
  operator: Operator,
  { action, id, applicationId, ...why }: NewAction,
): AuditWrite {
  const atMs = clock.nowMs();
  const recordId = newId('aud', atMs);
  const named = actionOn(action, { id, applicationId });
  const listing = auditListing({ keyId: operator.keyId, atMs }, named, recordId);
  const ttl = keys.timeToLive(atMs + auditListDays * dayMs);
  return {
    Put: {
      Item: { ...keys.action(recordId), ...operator, atMs, ...defined(why), ...named, ...listing, ...ttl },
    },
  };
}

/** The record of an action on an object of an application; none when the application does it with a key of its own. */
export function actionWrites(
  caller: ApplicationCaller | SellerCaller,
  action: Omit<NewAction, 'applicationId'>,
): readonly AuditWrite[] {
  if (caller.by !== 'operator') return [];
  const { operator, applicationId } = caller;
  return [actionWrite(operator, { ...action, applicationId })];
}

/** The former values of the fields that a change replaces, where null is none; undefined when it replaces none. */
export function formerValues<T extends object>(
  former: T,
  next: T,
  fields: readonly (keyof T & string)[],
): Readonly<Record<string, unknown>> | undefined {
  const changed = fields.filter((field) => !isDeepStrictEqual(former[field], next[field]));
  if (changed.length === 0) return undefined;
  return Object.fromEntries(changed.map((field) => [field, former[field] ?? null]));
}
