import { endpoint } from '../shared/lambda/endpoint.ts';
import { deployedFile } from './files.ts';
import { routes } from './routes.ts';

const pageDeps = () => ({ deployedFile });

/** Returns the reference as a page. It loads only the OpenAPI document. */
export async function readPage(_: unknown, { deployedFile }: ReturnType<typeof pageDeps>): Promise<string> {
  return deployedFile('docs.html');
}

export const handler = endpoint(routes.page, readPage, pageDeps);
