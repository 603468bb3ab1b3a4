import { keys, tableSchema } from '../../shared/contract/keys.ts';
import { isId } from '../../shared/runtime/ids.ts';
import { getItem, type Item, queryPage, transactWrite, updateItem } from '../../shared/table/table.ts';
import type { Plan } from './plan.ts';

const exists = `attribute_exists(${tableSchema.partitionKey})`;

/** Plans in the table, each in the partition of its application. */
export const planStore = {
  /** Stores a new plan, if there is such an application. @returns whether there is. */
  create(plan: Plan): Promise<boolean> {
    return transactWrite([
      { ConditionCheck: { Key: keys.application(plan.applicationId), ConditionExpression: exists } },
      { Put: { Item: { ...keys.plan(plan.applicationId, plan.planId), ...plan } } },
    ]);
  },

  async get(applicationId: string, planId: string): Promise<Plan | undefined> {
    const item = await getItem(keys.plan(applicationId, planId));
    return item && planOf(item);
  },

  /**
   * Plans of an application in the order they were made, from after one on.
   * @returns up to `count`, fewer when they fill 1 MB; `more` says whether there may be others.
   */
  async page(
    applicationId: string,
    { after, count }: { after: string | undefined; count: number },
  ): Promise<{ items: Plan[]; more: boolean }> {
    const { items, lastKey: last } = await queryPage({
      partition: keys.planPartition(applicationId),
      limit: count,
      startAfter: after === undefined ? undefined : { ...keys.plan(applicationId, after) },
    });
    return { items: items.map(planOf), more: last !== undefined };
  },

  /** Sets what may change, if the plan is still of the revision that was read. @returns whether it was. */
  async change(plan: Plan, seenRevision: number): Promise<boolean> {
    const { planId, applicationId, createdAtMs: _, ...fields } = plan;
    const names = Object.keys(fields);
    const outcome = await updateItem(keys.plan(applicationId, planId), {
      UpdateExpression: `SET ${names.map((name) => `#${name} = :${name}`).join(', ')}`,
      ConditionExpression: '#revision = :seen',
      ExpressionAttributeNames: Object.fromEntries(names.map((name) => [`#${name}`, name])),
      ExpressionAttributeValues: {
        ':seen': seenRevision,
        ...Object.fromEntries(Object.entries(fields).map(([name, value]) => [`:${name}`, value])),
      },
    });
    return outcome.done;
  },
};

/** Whether a text has the form of a plan's id. */
export function isPlanId(text: string): boolean {
  return isId('pln', text);
}

function planOf({ pk: _pk, sk: _sk, ...plan }: Item): Plan {
  return plan as unknown as Plan;
}
