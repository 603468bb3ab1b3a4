import { keys, tableSchema } from '../shared/keys.ts';
import { getItem, transactWrite, updateItem } from '../shared/table.ts';
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
    if (item === undefined) return undefined;
    const { pk: _pk, sk: _sk, ...plan } = item;
    return plan as unknown as Plan;
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
