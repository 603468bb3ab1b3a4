import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, found, type Input, type Output } from '../shared/lambda/endpoint.ts';
import { toPlanResponse } from './plan.ts';
import { readRoute } from './routes.ts';
import { planStore } from './store.ts';

export async function readPlan({
  params: { id, planId },
}: Pick<Input<typeof readRoute>, 'params'>): Promise<Output<typeof readRoute>> {
  const plan = found(await planStore.get(id, planId));
  return { plan: toPlanResponse(plan) };
}

export const handler = endpoint(readRoute, readPlan, operatorCaller);
