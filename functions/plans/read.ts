import { operatorCaller } from '../shared/auth/bearer.ts';
import { found } from '../shared/contract/errors.ts';
import type { Input, Output } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/read.ts';
import { toPlanResponse } from './plan.ts';
import { planStore } from './store.ts';

export async function readPlan({
  params: { id, planId },
}: Pick<Input<typeof route>, 'params'>): Promise<Output<typeof route>> {
  const plan = found(await planStore.get(id, planId));
  return { plan: toPlanResponse(plan) };
}

export const handler = endpoint(route, readPlan, operatorCaller);
