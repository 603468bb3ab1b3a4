import * as z from 'zod/mini';
import { described } from '../shared/fields/described.ts';
import { OnePlan } from './plan.ts';

export const PlanList = z.object({
  plans: z.array(OnePlan.shape.plan),
  nextCursor: z.optional(
    z
      .string()
      .check(described('Present when there are more items. Pass it as `cursor` to get the next page.')),
  ),
});
