import * as keys from '../shared/contract/keys.ts';
import { isId } from '../shared/runtime/ids.ts';
import { type IdempotentRequest, writeIdempotently } from '../shared/table/idempotency.ts';
import { queryPage } from '../shared/table/query.ts';
import { getRecord, recordReader } from '../shared/table/record.ts';
import { exists, notExists, transactWrite, type Write } from '../shared/table/table.ts';
import type { Plan } from './plan.ts';

export const readPlan = recordReader<Plan>(['planId', 'revision'], ['pk', 'sk', 'writtenBy']);

export const planStore = {
  /**
   * Stores a new plan with its audit record.
   *
   * @returns the id of the plan of this request, or of the one that it repeats; undefined when the application does not exist.
   * @throws ApiError `idempotency_mismatch`, `idempotency_in_progress`
   */
  create(
    plan: Plan,
    audit: Write,
    request: IdempotentRequest | undefined,
  ): Promise<{ planId: string } | undefined> {
    const { planId, createdAtMs } = plan;
    const writes: Write[] = [
      { ConditionCheck: { Key: keys.application(plan.applicationId), ConditionExpression: exists } },
      {
        Put: {
          Item: { ...keys.plan(plan.applicationId, plan.planId), ...plan },
          ConditionExpression: notExists,
        },
      },
      audit,
    ];
    return writeIdempotently(request, writes, { planId }, createdAtMs);
  },

  get(applicationId: string, planId: string): Promise<Plan | undefined> {
    return getRecord(keys.plan(applicationId, planId), readPlan);
  },

  /**
   * A page of the plans of an application, oldest first.
   * @returns up to `count` items, fewer when they fill 1 MB; `hasMore`: there may be further items.
   */
  async listPage(
    applicationId: string,
    { startAfter, count }: { startAfter: string | undefined; count: number },
  ): Promise<{ items: Plan[]; hasMore: boolean }> {
    const { items, lastKey } = await queryPage({
      partition: keys.planPartition(applicationId),
      limit: count,
      startAfter: startAfter === undefined ? undefined : { ...keys.plan(applicationId, startAfter) },
    });
    return { items: items.map(readPlan), hasMore: lastKey !== undefined };
  },

  /** Updates a plan that still has the revision that was read. @returns false after a concurrent write. */
  update(plan: Plan, readRevision: number, audit: readonly Write[]): Promise<boolean> {
    const { planId, applicationId, createdAtMs: _, ...fields } = plan;
    const names = Object.keys(fields);
    const update = {
      Key: keys.plan(applicationId, planId),
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: '#revision = :readRevision',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':readRevision': readRevision,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
      },
    };
    return transactWrite([{ Update: update }, ...audit]);
  },
};

export const isPlanId = (text: string): boolean => isId('pln', text);
