import * as z from 'zod/mini';
import { nextCursorField } from '../shared/fields/page.ts';
import { OnePlan } from './plan.ts';

export const PlanList = z.object({
  plans: z.array(OnePlan.shape.plan),
  nextCursor: nextCursorField(),
});
