import type { Input, Reply } from '../shared/contract/route.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { route } from './contracts/create-page.ts';
import { sharePage, withSharePageErrors } from './share-page.ts';

export const createPage = ({ baseUrl }: Input<typeof route>): Promise<Reply> => sharePage(baseUrl);

export const handler = withSharePageErrors(endpoint(route, createPage));
