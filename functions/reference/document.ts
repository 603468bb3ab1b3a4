import type { Input, Reply } from '../shared/contract/route.ts';
import { deployedFile, fileReply } from '../shared/lambda/deployed-file.ts';
import { endpoint } from '../shared/lambda/endpoint.ts';
import { routes } from './routes.ts';

const documentDeps = () => ({ deployedFile });

/** Returns the OpenAPI document, generated from the routes of the same deployment. */
export async function readDocument(
  { headers }: Input<typeof routes.document>,
  { deployedFile }: ReturnType<typeof documentDeps>,
): Promise<Reply> {
  const file = await deployedFile('openapi.json');
  return fileReply(file, headers['if-none-match'], routes.document.cacheSeconds);
}

export const handler = endpoint(routes.document, readDocument, documentDeps);
