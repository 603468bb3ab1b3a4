import { SubscriptionPath } from '../api/page-requests.ts';
import { PlanChangeBody } from '../api/plan-change-schemas.ts';

export const planChangeRoute = {
  method: 'POST',
  auth: 'apiKey',
  concurrentRateLimit: true,
  params: SubscriptionPath,
  body: PlanChangeBody,
} as const;
