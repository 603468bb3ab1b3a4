import { UserHeaders, UserQuery } from '../api/requests.ts';

/** Common to all endpoints for applications. */
export const applicationRoute = {
  auth: 'links',
  concurrentRateLimit: true,
  headers: UserHeaders,
  query: UserQuery,
} as const;
