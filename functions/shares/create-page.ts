import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { createPageRoute } from './routes.ts';
import { sharePage, withSharePageErrors } from './share-page.ts';

export const createPage = ({ baseUrl }: Input<typeof createPageRoute>): Promise<Reply> => sharePage(baseUrl);

export const handler = withSharePageErrors(endpoint(createPageRoute, createPage));
