import { UserHeaders, UserQuery } from '../api/requests.ts';

export const applicationRoute = {
  auth: 'links',
  concurrentRateLimit: true,
  headers: UserHeaders,
  query: UserQuery,
} as const;
