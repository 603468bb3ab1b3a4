import { deployedFile } from '../shared/lambda/deployed-file.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { pageReply } from './page-reply.ts';
import { pageRoute } from './routes.ts';

export async function readPage({ headers }: Input<typeof pageRoute>): Promise<Reply> {
  return pageReply(await deployedFile('docs.html'), headers['if-none-match']);
}

export const handler = endpoint(pageRoute, readPage);
