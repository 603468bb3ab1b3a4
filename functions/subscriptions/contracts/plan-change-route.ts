import { IdPath } from '../../shared/fields/path-id.ts';
import { PlanChangeBody } from './plan-change.ts';

export const planChangeRoute = {
  method: 'POST',
  auth: 'apiKey',
  concurrentRateLimit: true,
  params: IdPath,
  body: PlanChangeBody,
} as const;
