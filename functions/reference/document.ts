import { deployedFile, fileReply } from '../shared/lambda/deployed-file.ts';
import { endpoint, type Input, type Reply } from '../shared/lambda/endpoint.ts';
import { documentRoute } from './routes.ts';

/** Returns the OpenAPI document, generated from the routes of the same deployment. */
export async function readDocument({ headers }: Input<typeof documentRoute>): Promise<Reply> {
  const file = await deployedFile('openapi.json');
  return fileReply(file, headers['if-none-match'], documentRoute.cacheSeconds);
}

export const handler = endpoint(documentRoute, readDocument);
