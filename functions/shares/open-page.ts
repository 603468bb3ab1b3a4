import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { openPageRoute } from './routes.ts';
import { sharePage, withSharePageErrors } from './share-page.ts';

/** Returns the page, on which a share is opened. Neither the id nor the table is looked at. */
export const openPage = ({ baseUrl }: Input<typeof openPageRoute>): Promise<Reply> => sharePage(baseUrl);

export const handler = withSharePageErrors(endpoint(openPageRoute, openPage));
