import type { output } from 'zod/mini';
import { operatorCaller } from '../shared/auth/bearer.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { type Columns, listReply } from '../shared/lists/csv.ts';
import { applicationPage } from './application-page.ts';
import { type ListedApplication, listRoute } from './routes.ts';

const applicationColumns: Columns<output<typeof ListedApplication>> = {
  id: ({ _id }) => _id,
  name: ({ name }) => name,
  createdAt: ({ createdAt }) => createdAt,
};

export async function listApplications(request: Input<typeof listRoute>): Promise<Reply> {
  const page = await applicationPage(request.query);
  return listReply(request, listRoute, 'applications', page, applicationColumns);
}

export const handler = endpoint(listRoute, listApplications, operatorCaller);
